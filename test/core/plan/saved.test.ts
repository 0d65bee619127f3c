import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EngineOptions } from "../../../core/contract/index.js";
import { newNetwork, type Planned, setUpPlans } from "../../helpers/apps/planning.js";

let folder: string;
let files = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plans-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const newFile = (): string => join(folder, `plan-${++files}.json`);

/** Saves a plan of a program, and returns its path. */
async function planned({ plan, world }: Planned, program: () => unknown, options: EngineOptions = {}): Promise<string> {
  const planOut = newFile();
  await plan(program, { ...options, planOut });
  world.news();
  return planOut;
}

describe("a saved plan", () => {
  test("is a file for its owner, in which the plan is as it was given", async () => {
    const { plan, Thing } = setUpPlans();
    const planOut = newFile();
    const { time: _, ...made } = { time: "", ...(await plan(() => Thing("a", { value: 1 }), { planOut })) };
    expect(JSON.parse(await readFile(planOut, "utf8"))).toEqual(JSON.parse(JSON.stringify(made)));
    expect((await stat(planOut)).mode & 0o777).toBe(0o600);
  });

  test("is done exactly, whatever it holds", async () => {
    const planning = setUpPlans({ replaceOn: ["name"] });
    const { Thing, stage } = planning;
    await stage.up(() => Promise.all(["a", "b", "c", "d"].map((id) => Thing(id, { name: id, value: id }))));
    const program = () =>
      Promise.all([
        Thing("a", { name: "other", value: "a" }),
        Thing("b", { name: "b", value: "changed" }),
        Thing("c", { name: "c", value: "c" }),
        Thing("new"),
      ]);
    const planFile = await planned(planning, program);
    await stage.up(program, { planFile });
    expect(stage.summary).toEqual({ created: 1, updated: 1, replaced: 1, deleted: 2, unchanged: 1 });
  });

  test("is refused where the state has changed since", async () => {
    const planning = setUpPlans();
    const { Thing, stage, world } = planning;
    const planFile = await planned(planning, () => Thing("a"));
    await stage.up(() => Thing("b"));
    world.news();
    await expect(stage.up(() => Thing("a"), { planFile })).rejects.toMatchObject({ code: "PLAN_STALE" });
    expect(world.calls).toEqual([]);
  });

  test("is refused where it has errors, and names the first", async () => {
    const planning = setUpPlans({ replaceOn: ["name"] });
    const { Thing, stage, world } = planning;
    await stage.up(() => Thing("a", { name: "one" }, { protect: true }));
    world.news();
    const program = async () => {
      await Thing("b");
      await Thing("a", { name: "other" }, { protect: true });
    };
    const planFile = newFile();
    await expect(planning.plan(program, { planOut: planFile })).rejects.toMatchObject({
      errors: [{ code: "PROTECTED" }],
    });
    await expect(stage.up(program, { planFile })).rejects.toMatchObject({
      code: "PLAN_FAILED",
      message: expect.stringMatching(
        /it has an error: .*"app\/dev\/a" is protected.* Nothing was done\. Fix the cause/,
      ),
    });
    expect(world.calls).toEqual([]);
  });

  test.each<[string, EngineOptions]>([
    ["another stage", { stage: "prod" }],
    ["another phase", { phase: "destroy" }],
  ])("is refused for %s", async (_what, options) => {
    const planning = setUpPlans();
    const planFile = await planned(planning, () => planning.Thing("a"));
    await expect(planning.stage.open({ planFile, ...options })).rejects.toMatchObject({
      code: "PLAN_STALE",
      message: expect.stringContaining('it is for "app/dev" in the phase up'),
    });
  });

  test.each([
    ["another action", { value: 2 }, "update", 'has no action for "app/dev/a", but the run was about to update it'],
    ["other props", { value: 3 }, "create", 'has the action create with other props for "app/dev/b" (value), but'],
  ])("stops the run before %s, and says which", async (_what, props, action, message) => {
    const planning = setUpPlans();
    const { Thing, stage, world } = planning;
    await stage.up(() => Thing("a", { value: 1 }));
    const planFile = await planned(planning, () => Promise.all([Thing("a", { value: 1 }), Thing("b", { value: 1 })]));
    const other = async () => {
      await Thing("a", action === "update" ? props : { value: 1 });
      await Thing("b", action === "create" ? props : { value: 1 });
      await Thing("c");
    };
    const failures = await stage.failures(other, { planFile });
    expect(failures[0]).toMatchObject({ code: "PLAN_MISMATCH", message: expect.stringContaining(message) });
    expect(world.calls).toEqual([]);
    await stage.up(() => Promise.all([Thing("a", { value: 1 }), Thing("b", { value: 1 })]), { planFile });
    expect(world.calls).toEqual(["create b"]);
  });

  test("stops the run before a delete that it does not hold", async () => {
    const planning = setUpPlans();
    const { Thing, stage, world } = planning;
    await stage.up(() => Promise.all([Thing("a"), Thing("b")]));
    const planFile = await planned(planning, () => Thing("a"));
    const failures = await stage.failures(() => {}, { planFile });
    expect(failures).toMatchObject([{ code: "PLAN_MISMATCH", fqn: expect.stringMatching(/[ab]$/) }]);
    expect(world.names).toContain("a#1");
  });

  test("holds for values that were not known, whatever they turn out to be", async () => {
    const planning = setUpPlans();
    const { Thing, stage } = planning;
    const Network = newNetwork();
    const program = (zone: string) => async () => {
      const { address } = await Network("net", { name: "main", zone });
      await Thing("a", { value: `http://${address}/` });
      await Thing("b", { value: address });
    };
    await stage.up(program("x"));
    const planFile = await planned(planning, program("y"));
    await stage.up(program("y"), { planFile });
    // Its address turns out to be the same.
    expect(stage.summary).toEqual({ replaced: 1, deleted: 1, unchanged: 2 });
  });

  test("holds for a handler that asks to be replaced only where that could not be seen", async () => {
    const planning = setUpPlans();
    const { Thing, stage, world } = planning;
    const Short = world.type({ short: true });
    const program = (value: number) => async () => {
      await Short("short", { value });
      await Thing("long", { value });
    };
    await stage.up(program(1));
    for (const id of ["short", "long"]) {
      world.on(`update ${id}`, (context) => void Reflect.get(context, "replace").call(context));
    }
    const planFile = await planned(planning, program(2));
    const [failure] = await stage.failures(program(2), { planFile });
    expect(failure).toMatchObject({
      code: "PLAN_MISMATCH",
      message: expect.stringContaining('has the action update for "app/dev/long", but the run was about to replace it'),
    });
    expect(world.names).toEqual(["long#2", "short#1", "short#3"]);
  });

  test("holds if the remainder of an interrupted create can only be replaced, and could not be read", async () => {
    const planning = setUpPlans({ update: false, read: true });
    const { Thing, stage, world } = planning;
    world.after("create b", () => {
      throw new Error("lost");
    });
    await stage.failures(() => Thing("b"));
    world.after("create b", () => {});
    const program = async () => {
      const a = await Thing("a", { value: 1 });
      await Thing("b", { value: a.value });
    };
    const planOut = newFile();
    const made = await planning.plan(program, { planOut });
    expect(made.actions).toMatchObject([
      { action: "create", certain: true, mayReplace: false },
      { action: "create", certain: false, mayReplace: true },
    ]);
    await stage.up(program, { planFile: planOut });
    expect(stage.summary).toEqual({ created: 1, replaced: 1, deleted: 1 });
  });

  test("leaves what handlers declare to the resource that it is a part of", async () => {
    const planning = setUpPlans();
    const { Thing, stage, world } = planning;
    world.on("create parent", async () => void (await Thing("child", { value: 1 })));
    const planFile = await planned(planning, () => Thing("parent"));
    await stage.up(() => Thing("parent"), { planFile });
    expect(stage.summary).toEqual({ created: 2 });
  });

  test("is done only in part without a word: the run says what it left out, and why", async () => {
    const planning = setUpPlans();
    const { Thing, stage } = planning;
    await stage.up(() => Promise.all([Thing("a", { value: 1 }), Thing("b", { value: 1 }), Thing("gone")]));
    const program = (last: number, more: boolean) => async () => {
      await Thing("a", { value: last });
      await Thing("b", { value: 1 });
      if (more) await Thing("new");
    };
    const planFile = await planned(planning, program(2, true));
    await stage.up(() => Promise.all([Thing("a", { value: 1 }), Thing("b", { value: 1 }), Thing("gone")]), {
      planFile,
    });
    expect(stage.heard("warning")).toMatchObject([
      {
        code: "PLAN_PARTLY_DONE",
        message:
          'The run did not do everything in the saved plan: update "app/dev/a" (it needed no change), ' +
          'create "app/dev/new" (the program did not declare it), delete "app/dev/gone" (the program declares it). Make a new plan for the rest.',
      },
    ]);
    await stage.up(program(2, true), { planFile });
    expect([stage.summary, stage.heard("warning")]).toEqual([{ created: 1, updated: 1, deleted: 1, unchanged: 1 }, []]);
  });

  test("may be of a destroy", async () => {
    const planning = setUpPlans();
    const { Thing, stage, world } = planning;
    await stage.up(() => Promise.all([Thing("a"), Thing("b")]));
    const planFile = await planned(planning, () => {}, { phase: "destroy" });
    await (await stage.open({ phase: "destroy", planFile })).finalize();
    expect(world.names).toEqual([]);
  });

  test.each([
    ["no file", undefined, "cannot be read"],
    ["no JSON", "{", "cannot be read"],
    ["something else", '{"format":1}', "is not a plan that this version of the engine saved"],
    ["a later format", '{"format":2}', "is not a plan that this version of the engine saved"],
  ])("that is %s is refused", async (_what, text, message) => {
    const { stage } = setUpPlans();
    const planFile = newFile();
    if (text !== undefined) await writeFile(planFile, text);
    await expect(stage.open({ planFile })).rejects.toMatchObject({
      code: "INVALID_OPTION",
      message: expect.stringContaining(message),
    });
  });

  test("that cannot be written fails the run, and leaves nothing behind", async () => {
    const { plan } = setUpPlans();
    const planOut = join(folder, "no", "such", "plan.json");
    await expect(plan(() => {}, { planOut })).rejects.toMatchObject({
      errors: [{ code: "INVALID_OPTION", message: expect.stringMatching(/cannot be written: .*'.*\/plan\.json'\.$/) }],
    });
  });

  test.each<[string, EngineOptions]>([
    ['needs the option "plan"', { plan: false, planOut: "x" }],
    ['contradicts the option "plan"', { plan: true, planFile: "x" }],
  ])("%s: an option that makes no sense is refused", async (why, options) => {
    const { stage } = setUpPlans();
    await expect(stage.open(options)).rejects.toMatchObject({
      code: "INVALID_OPTION",
      message: expect.stringContaining(why),
    });
  });
});
