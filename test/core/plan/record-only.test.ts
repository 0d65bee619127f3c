/** A run that would change only the record, not the resource, has a change as well. */
import { describe, expect, test } from "vitest";
import type { Plan } from "../../../core/contract/index.js";
import { setUpPlans } from "../../helpers/apps/planning.js";

const notesOf = ({ recordOnly }: Plan) => recordOnly.map(({ fqn, reason }) => `${fqn}: ${reason}`);

describe("a plan is not empty if a run would record", () => {
  test("that a resource is protected or retained from now on, or not any more", async () => {
    const { stage, plan, Thing } = setUpPlans();
    const program = (options: object) => async () => void (await Thing("a", { value: 1 }, options));
    await stage.up(program({}));
    const both = { protect: true, retainOnDelete: true };
    expect(notesOf(await plan(program(both)))).toEqual(["app/dev/a: protect: true; retainOnDelete: true"]);
    await stage.up(program(both));
    expect(notesOf(await plan(program(both)))).toEqual([]);
    expect(notesOf(await plan(program({})))).toEqual(["app/dev/a: protect: false; retainOnDelete: false"]);
  });

  test("that a resource refers to others", async () => {
    const { stage, plan, Thing } = setUpPlans();
    const program = (isAfter: boolean) => async () => {
      const a = Thing("a");
      await Thing("b", {}, { dependsOn: isAfter ? [a] : [] });
    };
    await stage.up(program(false));
    expect(notesOf(await plan(program(true)))).toEqual(["app/dev/b: it refers to other resources"]);
    await stage.up(program(true));
    expect(notesOf(await plan(program(true)))).toEqual([]);
  });

  test("other outputs of the stage, or other data of a scope", async () => {
    const { stage, plan, Thing } = setUpPlans();
    const program = (value: number) => async (app: Parameters<Parameters<typeof plan>[0]>[0]) => {
      await Thing("a");
      await app.set("count", value);
      await app.outputs({ value });
    };
    await stage.up(program(1));
    expect(notesOf(await plan(program(1)))).toEqual([]);
    const made = await plan(program(2));
    expect(notesOf(made).sort()).toEqual(['app/dev: data changed: "count"', "app/dev: outputs changed"]);
    expect(made.actions).toEqual([]);
  });

  test("that a retained resource is forgotten", async () => {
    const { stage, plan, Thing } = setUpPlans();
    await stage.up(async () => void (await Thing("a", {}, { retainOnDelete: true })));
    expect(notesOf(await plan(() => {}))).toEqual(["app/dev/a: removed from the state"]);
    await stage.up(() => {});
    expect(notesOf(await plan(() => {}))).toEqual([]);
  });

  test("nothing of it again beside the action of the same resource", async () => {
    const { stage, plan, Thing } = setUpPlans();
    await stage.up(async () => void (await Thing("a", { value: 1 })));
    const made = await plan(async () => void (await Thing("a", { value: 2 }, { protect: true })));
    expect([made.actions.length, notesOf(made)]).toEqual([1, []]);
  });
});
