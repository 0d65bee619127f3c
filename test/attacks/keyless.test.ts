import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import type { EnginePlugin, Scope } from "../../core/contract/index.js";
import { processes } from "../../plugins/processes/index.js";
import { secretStage } from "../helpers/apps/secret-stage.ts";
import { World } from "../helpers/apps/world.ts";
import { all, keys, newestIn, rewrite } from "./forging.ts";
import { attackedBy, failureOf, LOOKS, RUN_NAMES, RUNS, type RunName, told } from "./runs.ts";
import { type Values, type Victim, victim } from "./victim.ts";

const KEYLESS = { password: undefined };

/** A plugin that keeps the codes of all warnings. */
function hearing(codes: string[]): EnginePlugin {
  return { name: "hearing", apply: ({ events }) => events.on("warning", ({ code }) => void codes.push(code)) };
}

/** Runs that fail before they read the state. */
const BEFORE_LOOKING: ReadonlySet<RunName> = new Set(["rotatePassword", "rekey", "sealState"]);
/** Runs that have nothing to do. */
const NOTHING_TO_DO: ReadonlySet<RunName> = new Set(["unlock", "recover"]);

describe.each([true, false])("of a sealed stage, without its key (append: %s)", (append) => {
  let sound: Victim;
  let forged: Values;
  beforeAll(async () => {
    sound = await victim({ append });
    forged = await attackedBy(sound, async (store) =>
      rewrite(store, await newestIn(store, keys.checkpoints), (body) => {
        for (const record of body.records) if (record.key === "outer/b") record.props.value = "changed";
        body.records.push({ ...body.records[0], uid: "u-forged", key: "forged" });
      }),
    );
  });

  test.each(RUN_NAMES)("a run without a key can only read: %s", async (name) => {
    for (const values of [sound.values, forged]) {
      const store = await sound.store(values);
      const stage = sound.on(store);
      const codes: string[] = [];
      const options = { plugins: [hearing(codes)] };
      sound.world.news();
      const refused = told(await failureOf(RUNS[name]({ victim: sound, stage, store, options })));
      const calls = sound.world.news();
      expect(calls.filter((call) => !call.startsWith("read "))).toEqual([]);
      expect(await all(store)).toEqual(new Map(values));
      const looks = LOOKS.has(name) || NOTHING_TO_DO.has(name);
      expect(refused).toMatch(
        looks ? /^(nothing|EngineError (READ_ONLY|PASSWORD_REQUIRED) )/ : /^EngineError PASSWORD_REQUIRED /,
      );
      if (!BEFORE_LOOKING.has(name)) expect(codes).toContain("UNVERIFIED");
    }
  });
});

let rootDir = "";
beforeEach(async () => {
  rootDir = await mkdtemp(join(tmpdir(), "scope-engine-"));
});
afterEach(() => rm(rootDir, { recursive: true }));

/** Sealed, and without a secret: only the seal prevents runs. */
async function plainStage(append: boolean) {
  const world = new World();
  const Thing = world.type({ read: true });
  const stage = secretStage({ stateStore: memoryStore({ append }), rootDir, plugins: [processes()] });
  const program = async (app: Scope) => {
    await app.set("plain", 1);
    await stage.engine.run("child", () => Thing("a", { value: 1 }));
    await app.outputs({ url: "u" });
  };
  await stage.up(program);
  world.news();
  return { world, Thing, stage, program, before: await all(stage.store) };
}

type Plain = Awaited<ReturnType<typeof plainStage>>;

const PROGRAMS: Readonly<Record<string, (plain: Plain, app: Scope) => unknown>> = {
  "a changed resource": ({ stage, Thing }) => stage.engine.run("child", () => Thing("a", { value: 2 })),
  "a new resource": ({ program, Thing }, app) => program(app).then(() => Thing("new", {})),
  "one resource less": () => {},
  "another value of data": (_plain, app) => app.set("plain", 2),
  "no data any more": (_plain, app) => app.delete("plain"),
  "other outputs": (_plain, app) => app.outputs({ url: "other" }),
  "engine.destroy()": ({ stage }) => stage.engine.destroy(),
  "engine.destroy() of a scope": ({ stage }) => stage.engine.run("child", () => stage.engine.destroy()),
  "engine.destroy() of what is recorded": async ({ stage, Thing }) => {
    await stage.engine.run("child", async () => {
      const a = Thing("a", { value: 1 });
      await a;
      await stage.engine.destroy(a);
    });
  },
  "another name by an alias": ({ stage, Thing }) =>
    stage.engine.run("child", () => Thing("renamed", { value: 1 }, { aliases: ["a"] })),
  "a command": (_plain, app) => app.exec("touch", ["touch", join(rootDir, "ran")]),
  "a command in a child scope": ({ stage }) =>
    stage.engine.run("child", (scope) => scope.exec("touch", ["touch", join(rootDir, "ran")])),
  "a process": (_plain, app) => app.spawn("touch", { command: "touch", args: [join(rootDir, "ran")] }),
  "a deferred change": ({ program, Thing }, app) => {
    app.defer(() => Thing("deferred", {})).catch(() => {});
    return program(app);
  },
};

describe.each([true, false])("a run without the key, of a stage that has no secrets (append: %s)", (append) => {
  test("succeeds if it changes nothing, and reports that nothing is proven", async () => {
    const { world, stage, program, before } = await plainStage(append);
    await stage.up(program, KEYLESS);
    expect(world.news()).toEqual([]);
    expect(stage.heard("warning")).toMatchObject([{ code: "UNVERIFIED" }]);
    expect(await all(stage.store)).toEqual(before);
  });

  test.each(Object.keys(PROGRAMS))("does not do the planned operation: %s", async (name) => {
    const plain = await plainStage(append);
    const { world, stage, before } = plain;
    const refused = told(await failureOf(stage.up((app) => PROGRAMS[name]?.(plain, app), KEYLESS)));
    expect(refused).toMatch(/^EngineError PASSWORD_REQUIRED .*"app\/dev" is sealed.*ENGINE_PASSWORD or ENGINE_KEY/);
    expect(stage.heard("warning")[0]).toMatchObject({ code: "UNVERIFIED" });
    expect(world.news().filter((call) => !call.startsWith("read "))).toEqual([]);
    expect(await all(stage.store)).toEqual(before);
    expect(await readdir(rootDir)).toEqual([]);
  });

  test("may not erase secrets that are not there either", async () => {
    const { world, stage, program, before } = await plainStage(append);
    const options = { ...KEYLESS, eraseSecrets: true, force: true };
    expect(told(await failureOf(stage.up(program, options)))).toMatch(/^EngineError PASSWORD_REQUIRED /);
    expect(world.news()).toEqual([]);
    expect(await all(stage.store)).toEqual(before);
  });

  test("with the password of a scope alone is one without the key", async () => {
    const { world, Thing, stage, before } = await plainStage(append);
    const own = { password: "of the scope" };
    const run = stage.up(() => stage.engine.run("child", own, () => Thing("a", { value: 2 })), KEYLESS);
    expect(told(await failureOf(run))).toMatch(/^EngineError PASSWORD_REQUIRED /);
    expect(world.news()).toEqual([]);
    expect(await all(stage.store)).toEqual(before);
  });
});
