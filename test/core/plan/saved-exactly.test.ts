import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Resource } from "../../../core/resource/index.js";
import { newNetwork, setUpPlans } from "../../helpers/apps/planning.js";
import { newKind } from "../../helpers/apps/world.js";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "plans-exactly-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A type that predicts when its update will ask to be replaced. */
const newPlace = () =>
  Resource<{ path: string }, { path: string; size?: number }>(newKind(), {
    create: ({ props }) => ({ path: props.path }),
    update: ({ props, output, replace }) => (props.path === output.path ? output : replace()),
    delete: () => {},
    replaces: ({ props, output }) => props.path !== output.path,
  });

describe("a run that keeps to a saved plan", () => {
  test("replaces what the plan replaces, where it is the update that asks for it", async () => {
    const { plan, stage } = setUpPlans();
    const Place = newPlace();
    const planFile = join(folder, "replaces.json");
    await stage.up(() => Promise.all([Place("a", { path: "x" }), Place("b", { path: "x" })]));
    const program = () => Promise.all([Place("a", { path: "y" }), Place("b", { path: "x", size: 1 })]);
    const { actions } = await plan(program, { planOut: planFile });
    expect(actions.map(({ action }) => action)).toEqual(["replace", "update"]);
    await stage.up(program, { planFile });
    expect(stage.summary).toEqual({ replaced: 1, updated: 1, deleted: 1 });
  });

  test("creates a missing resource again if the plan could not read it without its props", async () => {
    const { plan, stage, world, Thing } = setUpPlans();
    const Seen = world.type({ verify: true });
    const planFile = join(folder, "gone.json");
    await stage.up(() => Seen("b", { value: 1 }));
    world.things.clear();
    const program = async () => {
      const { thing } = await Thing("a");
      await Seen("b", { value: thing });
    };
    const { actions } = await plan(program, { planOut: planFile });
    expect(actions.map(({ action, certain }) => [action, certain])).toEqual([
      ["create", true],
      ["update", false],
    ]);
    await stage.up(program, { planFile });
    expect(stage.summary).toEqual({ created: 2 });
  });

  test.each([
    ["short ones", "", true, "tail"],
    ["one that is long only with what was not known", "x".repeat(985), true, "x"],
    ["one that is cut in the middle of what was not known", "x".repeat(190), true, "y".repeat(1000)],
    ["long ones, of which the end is not shown", "x".repeat(300), true, "y".repeat(1000)],
    ["another end", "", false, "tail"],
    ["another beginning", "x".repeat(300), false, "y".repeat(1000)],
  ])("compares texts with something unknown in them: %s", async (what, before, isSame, after) => {
    const { plan, stage, Thing } = setUpPlans();
    const Network = newNetwork();
    const planFile = join(folder, `${what}.json`);
    const program = (start: string, end: string) => async () => {
      const { address } = await Network("net", { name: "n" });
      await Thing("a", { value: `${start}${address}${end}` });
    };
    await plan(program(before, after), { planOut: planFile });
    if (isSame) {
      await stage.up(program(before, after), { planFile });
      expect(stage.summary).toEqual({ created: 2 });
      return;
    }
    const other = before === "" ? program(before, `${after}!`) : program(before.replace("x", "z"), after);
    const failures = await stage.failures(other, { planFile });
    expect(failures).toMatchObject([{ code: "PLAN_MISMATCH", message: expect.stringContaining("with other props") }]);
  });
});
