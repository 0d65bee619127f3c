import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import { Secret } from "../../plugins/secrets/secret.js";
import { secretStage } from "../helpers/apps/secret-stage.ts";
import { recordsOf, type Stage } from "../helpers/apps/stage.ts";
import { World } from "../helpers/apps/world.ts";
import { all, bodyOf, type Json, put, textOf } from "./forging.ts";
import { Random } from "./random.ts";
import { BODY_REWRITES } from "./rewrites.ts";
import { failureOf } from "./runs.ts";
import { breakText, rewriteText } from "./texts.ts";

let rootDir = "";
beforeEach(async () => {
  rootDir = await mkdtemp(join(tmpdir(), "scope-engine-"));
});
afterEach(() => rm(rootDir, { recursive: true }));

interface Left {
  readonly world: World;
  readonly stage: Stage;
  readonly program: () => Promise<void>;
  /** Path of the file that the run has left. */
  readonly path: string;
  readonly body: Json;
}

/** A sealed stage whose last run created `a` and could not record that. */
async function leftBehind(name: string, options = {}): Promise<Left> {
  const world = new World();
  const Thing = world.type({ read: false });
  const store = memoryStore();
  const stage = secretStage({ stateStore: store, rootDir, stage: name, ...options });
  const before = async () => void (await Thing("before", { value: 1 }));
  await stage.up(before);
  const { append } = store;
  world.after("create a", () => {
    store.append = () => Promise.reject(new Error("disk full"));
  });
  const program = async () => {
    await before();
    await Thing("a", { value: new Secret("hunter2") });
  };
  await failureOf(stage.up(program));
  if (append) store.append = append;
  world.calm();
  world.news();
  const [file = ""] = (await readdir(rootDir)).filter((one) => one.startsWith(`engine-recovery.app.${name}.`));
  const path = join(rootDir, file);
  return { world, stage, program, path, body: bodyOf(await readFile(path, "utf8")) };
}

/** Results that would make a run delete resources that are not its own. */
async function resultsFor(stage: Stage): Promise<object[]> {
  const values = await all(stage.store);
  const record = [...values.values()].flatMap((text) => /\{"key":"before".*?"done":\[\d+\]\}/.exec(text)?.[0] ?? [])[0];
  const forged = { ...JSON.parse(record ?? "{}"), uid: "u-forged", key: "forged" };
  return [{ changes: [{ op: "put", record: forged }], intents: [] }];
}

/**
 * The run leaves the file, reports its path, and calls no handler for its contents; the intent of `a` is pending as
 * before.
 */
async function expectLeft({ world, stage, path, program }: Left, why: RegExp): Promise<void> {
  const text = await readFile(path, "utf8");
  await failureOf(stage.up(program, { phase: "up" }));
  const [warning] = stage.heard("warning");
  expect(warning).toMatchObject({ code: "RECOVERY_LEFT", message: expect.stringMatching(why) });
  expect(warning?.message).toContain(path);
  expect(world.news().filter((call) => !/ (a|before)$/.test(call))).toEqual([]);
  expect(world.names).toContain("before#1");
  expect(await readFile(path, "utf8")).toBe(text);
}

describe("a recovery file of a sealed stage", () => {
  test("is taken as it was written", async () => {
    const { world, stage, program } = await leftBehind("dev");
    await stage.up(program);
    expect(stage.heard("warning")).toMatchObject([{ code: "RECOVERED" }]);
    expect(world.news()).toEqual([]);
  });

  test("in clear is left, whatever it says", async () => {
    const left = await leftBehind("dev");
    const { sealed: _sealed, ...about } = left.body;
    await writeFile(left.path, textOf({ ...about, results: await resultsFor(left.stage) }));
    await expectLeft(left, /not encrypted/);
  });

  test("in clear under any other name is left, too", async () => {
    const left = await leftBehind("dev");
    const { sealed: _sealed, ...about } = left.body;
    await rm(left.path);
    const path = join(rootDir, "engine-recovery.app.dev.other.json");
    await writeFile(path, textOf({ ...about, session: "other", results: await resultsFor(left.stage) }));
    await expectLeft({ ...left, path }, /not encrypted/);
  });

  test("that has results in clear beside those that are encrypted does not offer them", async () => {
    const left = await leftBehind("dev");
    const results = await resultsFor(left.stage);
    await writeFile(left.path, textOf({ ...left.body, results }));
    await left.stage.up(left.program);
    expect(left.stage.heard("warning")).toMatchObject([{ code: "RECOVERED" }]);
    expect(left.world.news()).toEqual([]);
  });

  test.each([null, "", "{}", "null", 1, {}, '{"kdf":{"name":"key"},"text":""}'])(
    "whose encrypted part is %j is left",
    async (sealed) => {
      const left = await leftBehind("dev");
      await writeFile(left.path, textOf({ ...left.body, sealed, results: await resultsFor(left.stage) }));
      await expectLeft(left, /cannot be read/);
    },
  );

  test("that was altered in any encrypted part is left", async () => {
    const left = await leftBehind("dev");
    const { kdf, text } = JSON.parse(left.body.sealed);
    const bytes = Buffer.from(text, "base64");
    for (const at of [0, 11, 12, bytes.length - 17, bytes.length - 1]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      const sealed = JSON.stringify({ kdf, text: changed.toString("base64") });
      await writeFile(left.path, textOf({ ...left.body, sealed }));
      const app = await left.stage.open({ phase: "up" });
      expect(left.stage.heard("warning")).toMatchObject([{ code: "RECOVERY_LEFT" }]);
      await failureOf(app.finalize({ noop: true }));
      expect(left.world.news()).toEqual([]);
    }
  });

  test.each([
    ["session", "other"],
    ["seq", 1],
    ["lineage", "other"],
    ["stage", "prod"],
  ])("is bound to its %s", async (member, value) => {
    const left = await leftBehind("dev");
    await writeFile(left.path, textOf({ ...left.body, [member]: value }));
    const before = await all(left.stage.store);
    const app = await left.stage.open();
    const isForOthers = member === "stage";
    expect(left.stage.heard("warning").map(({ code }) => code)).toEqual(isForOthers ? [] : ["RECOVERY_LEFT"]);
    expect(await all(left.stage.store)).toEqual(before);
    await failureOf(app.finalize({ noop: true }));
    expect(left.world.news()).toEqual([]);
  });

  test("of another stage with the same password is not taken for its own", async () => {
    const [left, other] = [await leftBehind("dev"), await leftBehind("prod")];
    const { lineage, session, seq } = left.body;
    await writeFile(left.path, textOf({ ...other.body, stage: "dev", lineage, session, seq }));
    await expectLeft(left, /cannot be read/);
  });

  test("that was used is of no use again, nor where the state went back", async () => {
    const left = await leftBehind("dev");
    const text = await readFile(left.path, "utf8");
    const before = await all(left.stage.store);
    await left.stage.up(left.program);
    await left.stage.up(async () => {});
    expect(left.world.names).toEqual([]);
    left.world.news();
    await writeFile(left.path, text);
    await left.stage.up(async () => {});
    expect(left.world.news()).toEqual([]);
    // With the old contents of the store, the file is valid again; STATE_WENT_BACK covers that case.
    await writeFile(left.path, text);
    await put(left.stage.store, before);
    const app = await left.stage.open({ phase: "read" });
    await app[Symbol.asyncDispose]();
    expect(left.world.news()).toEqual([]);
  });

  test.each([
    ["no JSON", '{"digest":"'],
    ["another digest", `{"digest":"${"0".repeat(64)}","format":1}`],
    ["nothing", ""],
    ["no session, no results", textOf({ format: 1, app: "app", stage: "dev" })],
    ["a format of later", textOf({ format: 99, app: "app", stage: "dev" })],
  ])("that holds %s is left", async (_what, text) => {
    const left = await leftBehind("dev");
    await writeFile(left.path, text);
    const app = await left.stage.open();
    expect(left.stage.heard("warning")).toMatchObject([{ code: "RECOVERY_LEFT" }]);
    await failureOf(app.finalize({ noop: true }));
    expect(left.world.news()).toEqual([]);
  });

  test("that was changed at random brings nothing that it did not say", async () => {
    const left = await leftBehind("dev");
    const text = await readFile(left.path, "utf8");
    const before = await all(left.stage.store);
    const spoils = { older: [before], twin: [before] };
    const codes = new Set<string>();
    for (let seed = 0; seed < 150; seed++) {
      const random = new Random(seed);
      const held = new Map([["file", text]]);
      random.one([...BODY_REWRITES, rewriteText, breakText])(held, random, spoils);
      await writeFile(left.path, held.get("file") ?? "");
      const stateStore = memoryStore();
      await put(stateStore, before);
      const stage = secretStage({ stateStore, rootDir });
      const app = await stage.open();
      const keysThere = recordsOf(app).map(({ key }) => key);
      for (const { code } of stage.heard("warning")) codes.add(code);
      await failureOf(app.finalize({ noop: true }));
      expect(keysThere.sort(), `seed ${seed}`).toEqual(["a", "before"]);
      expect(left.world.news(), `seed ${seed}`).toEqual([]);
    }
    expect([...codes]).toContain("RECOVERY_LEFT");
  });

  test("is nothing to a run without the key", async () => {
    const left = await leftBehind("dev");
    const before = await all(left.stage.store);
    await failureOf(left.stage.up(() => {}, { password: undefined }));
    expect(
      left.stage
        .heard("warning")
        .map(({ code }) => code)
        .sort(),
    ).toEqual(expect.arrayContaining(["RECOVERY_LEFT", "UNVERIFIED"]));
    expect(await all(left.stage.store)).toEqual(before);
    expect(left.world.news()).toEqual([]);
    expect(await readFile(left.path, "utf8")).toContain('"sealed"');
  });
});
