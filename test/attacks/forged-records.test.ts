import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import type { StateStore } from "../../core/contract/index.js";
import { Command, File } from "../../plugins/resources/index.js";
import { secrets } from "../../plugins/secrets/index.js";
import { COST, PASSWORD } from "../helpers/apps/secret-stage.ts";
import { Stage } from "../helpers/apps/stage.ts";
import { all, dropCheckpoints, forgeEntry, keys, newestIn, OPEN, rechain, rewrite } from "./forging.ts";
import { failureOf, told } from "./runs.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "scope-engine-"));
});
afterEach(() => rm(folder, { recursive: true }));

const at = (name: string): string => join(folder, name);

/** A command that its deletion runs, and a file elsewhere that its deletion removes. */
function forgedRecords(): object[] {
  const about = { status: "ready", attempt: 0, ready: [90], done: [91], physicalName: "x", token: "t" };
  const command = { command: "true", delete: ["touch", at("ran")] };
  const file = { path: at("precious"), content: "precious", outside: true };
  return [
    {
      key: "x",
      uid: "u-x",
      kind: "os:Command",
      props: command,
      output: { exitCode: 0, stdout: "", stderr: "" },
      ...about,
    },
    { key: "y", uid: "u-y", kind: "fs:File", props: file, output: { path: at("precious") }, ...about },
  ];
}

const program = async () => {
  await File("own", { path: "own.txt", content: "own" });
};

async function stageWith(store: StateStore, options: { readonly password?: string }): Promise<Stage> {
  await writeFile(at("precious"), "precious");
  const stage = new Stage(
    { stateStore: store, rootDir: at("project"), ...options },
    { plugins: [secrets({ cost: COST })] },
  );
  await stage.up(program);
  return stage;
}

async function intoCheckpoint(store: StateStore): Promise<void> {
  await rewrite(store, await newestIn(store, keys.checkpoints), (body) => void body.records.push(...forgedRecords()));
}

/** As changes in every line that has changes. */
async function intoJournal(store: StateStore): Promise<void> {
  await dropCheckpoints(store, 9);
  const ops = forgedRecords().map((record) => ({ op: "put", record }));
  await rechain(store, (body) => body.ops?.push(...ops));
}

/** As a line after the last one, or as an entry. */
async function behindAll(store: StateStore): Promise<void> {
  const ops = forgedRecords().map((record) => ({ op: "put", record }));
  await forgeEntry(store, { open: { ...OPEN, format: 1 }, ops, close: { outcome: "done", summary: {} } });
}

const PLACES = { "a checkpoint": intoCheckpoint, "the journal": intoJournal, "an entry behind all": behindAll };
const RUNS = { "the same program": program, "an empty program": () => {} };
const untouched = async (): Promise<string[]> => [
  await readFile(at("precious"), "utf8").catch(() => "gone"),
  await readFile(at("ran"), "utf8").then(
    () => "ran",
    () => "did not run",
  ),
];

describe.each([true, false])("two records that an attacker adds (append: %s)", (append) => {
  test.each(Object.entries(PLACES))(
    "to %s of a sealed stage run nothing and delete nothing",
    async (_place, attack) => {
      const store = memoryStore({ append });
      const stage = await stageWith(store, { password: PASSWORD });
      await attack(store);
      const before = await all(store);
      for (const [name, run] of Object.entries(RUNS)) {
        for (const options of [{}, { phase: "destroy" }] as const) {
          expect(told(await failureOf(stage.up(run, options))), name).toMatch(
            /^EngineError STATE_FORGED .*"app\/dev\//,
          );
          expect(await untouched(), name).toEqual(["precious", "did not run"]);
          expect(await all(store), name).toEqual(before);
        }
      }
    },
  );

  test.each(Object.entries(PLACES))(
    "to %s of a sealed stage do no more to a run without the key",
    async (_place, attack) => {
      const store = memoryStore({ append });
      const stage = await stageWith(store, { password: PASSWORD });
      await attack(store);
      const before = await all(store);
      for (const run of Object.values(RUNS)) {
        for (const options of [{}, { phase: "destroy" }] as const) {
          const refused = told(await failureOf(stage.up(run, { ...options, password: undefined })));
          expect(refused).toMatch(/^EngineError PASSWORD_REQUIRED .*"app\/dev"/);
          expect(stage.heard("warning")).toMatchObject([{ code: "UNVERIFIED" }]);
          expect(await untouched()).toEqual(["precious", "did not run"]);
          expect(await all(store)).toEqual(before);
        }
      }
    },
  );

  test.each(Object.entries(PLACES))("to %s of a stage without a key are treated as orphans", async (_place, attack) => {
    const store = memoryStore({ append });
    const stage = await stageWith(store, {});
    await attack(store);
    await stage.up(program);
    expect(await untouched()).toEqual(["gone", "ran"]);
  });
});

test("a stage that was never sealed is refused by a run with a password, whatever was added to it", async () => {
  const store = memoryStore();
  const stage = await stageWith(store, {});
  await intoCheckpoint(store);
  const refused = told(await failureOf(stage.up(program, { password: PASSWORD })));
  expect(refused).toMatch(/^EngineError STATE_FORGED .*"app\/dev" is not sealed.*engine state seal/);
  expect(await untouched()).toEqual(["precious", "did not run"]);
});

test("the command that the other tests look for is one that would run", async () => {
  const stage = new Stage({ rootDir: folder });
  await stage.up(() => Command("x", { command: "true", delete: ["touch", at("ran")] }));
  await stage.up(() => {});
  expect((await untouched())[1]).toBe("ran");
});
