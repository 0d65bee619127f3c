import { describe, expect, test } from "vitest";
import { definePlugin } from "../../../core/plugin/index.js";
import { said, setUpPlans } from "../../helpers/apps/planning.js";
import { recordOf } from "../../helpers/apps/stage.js";

describe("a plan", () => {
  test("takes no lock, writes nothing, and asks the store no more than an unchanged up", async () => {
    const { plan, Thing, stage, requests, world } = setUpPlans({ replaceOn: ["name"] });
    const program = (name: string) => async () => {
      await Thing("a", { name });
      await Promise.all(["b", "c"].map((id) => Thing(id, { value: name })));
      if (name === "one") await Thing("d");
    };
    await stage.up(program("one"));
    requests.clear();
    world.news();
    const made = await plan(program("two"));
    expect(made.counts).toEqual({ create: 0, update: 2, replace: 1, adopt: 0, delete: 1, unchanged: 0 });
    expect(requests.writes).toBe(0);
    expect(requests.besideTail).toBeLessThanOrEqual(4);
    expect(world.calls).toEqual([]);
    expect(world.names).toEqual(["a#1", "b#2", "c#3", "d#4"]);
    await stage.up(program("one"));
    expect(stage.summary).toEqual({ unchanged: 4 });
  });

  test("is made while another run has the stage", async () => {
    const { plan, Thing, stage } = setUpPlans();
    const app = await stage.open();
    await app.run(() => Thing("a"));
    expect(said(await plan(() => Promise.all([Thing("a", { value: 1 }), Thing("b")])))).toContain(
      "create b: not recorded",
    );
    await app.finalize();
  });

  test("keeps what the program sets to itself", async () => {
    const { plan, stage } = setUpPlans();
    await stage.up((app) => app.set("count", 1));
    const seen: unknown[] = [];
    await plan(async (app) => {
      await app.set("count", 2);
      seen.push(await app.get("count"));
    });
    const app = await stage.up(async (root) => void seen.push(await root.get("count")));
    expect(seen).toEqual([2, 1]);
    expect(recordOf(app, "a")).toBeUndefined();
  });

  test("asks plugins what may change it, and tells them nothing of what is not done", async () => {
    const { plan, Thing, stage } = setUpPlans();
    await stage.up(() => Promise.all([Thing("a"), Thing("b")]));
    const asked: string[] = [];
    const nosy = definePlugin({
      name: "nosy",
      apply({ hooks }) {
        hooks.props.tap("nosy", (context) => {
          asked.push("props");
          context.props = { value: "from a plugin" };
        });
        for (const name of ["beforeApply", "afterApply", "beforeDelete", "afterDelete", "beforePrune"] as const) {
          hooks[name].tap("nosy", () => void asked.push(name));
        }
        for (const name of ["beforeFinalize", "afterFinalize"] as const) {
          hooks[name].tap("nosy", () => void asked.push(name));
        }
      },
    });
    const made = await plan(() => Thing("a"), { plugins: [nosy] });
    expect(said(made)).toEqual(["update a: props.value changed", "delete b: no longer declared"]);
    expect(asked).toEqual(["props"]);
  });

  test("of an interrupted create looks where its type can, and creates nothing where it cannot", async () => {
    const { plan, world, stage } = setUpPlans();
    const types = [
      world.type({ read: true }),
      world.type({ read: false }),
      world.type({ read: false, idempotent: true }),
    ];
    const program = (value: number) => async () => {
      await Promise.allSettled(types.map((Type, index) => Type(`t${index}`, { value })));
    };
    for (const id of ["t0", "t1", "t2"]) world.fails(`create ${id}`);
    await stage.failures(program(1)).catch(() => {});
    world.calm();
    world.news();
    const before = world.names;
    const made = await plan(program(2));
    expect(made.actions.map(({ fqn, reason }) => `${fqn}: ${reason}`)).toHaveLength(3);
    expect(world.calls.filter((call) => !call.startsWith("read "))).toEqual([]);
    expect(world.names).toEqual(before);
    const orphaned = await plan(() => {});
    expect(world.calls.filter((call) => !call.startsWith("read "))).toEqual([]);
    expect(orphaned.actions.map(({ action }) => action)).not.toContain("create");
  });

  test("of nested resources says that their children are not known, and prunes none of them", async () => {
    const { plan, Thing, stage, world } = setUpPlans({ replaceOn: ["name"] });
    for (const phase of ["create", "update"]) {
      world.on(`${phase} parent`, async () => void (await Thing("child")));
    }
    await stage.up(() => Thing("parent", { value: 1, name: "x" }));
    for (const props of [
      { value: 2, name: "x" },
      { value: 1, name: "y" },
    ]) {
      const made = await plan(() => Thing("parent", props));
      expect(made.actions).toHaveLength(1);
      expect(made.unknown).toEqual([
        expect.objectContaining({
          fqn: "app/dev/parent/child",
          reason: 'child of "app/dev/parent", whose handler has not run',
        }),
      ]);
    }
    expect(said(await plan(() => {}))).toEqual([
      "delete parent/child: no longer declared",
      "delete parent: no longer declared",
    ]);
  });
});
