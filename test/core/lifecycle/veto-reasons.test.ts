/** Vetoes of plugins, in a run and in its plan. */
import { describe, expect, test } from "vitest";
import type { EngineHooks } from "../../../core/contract/index.js";
import { recordsOf } from "../../helpers/apps/stage.js";
import { type Tap, tappedWorld } from "./tapped.js";

function setUp(...taps: Tap[]) {
  const { world, Thing, stage } = tappedWorld(taps);
  const plan = async (program: () => unknown) => {
    await stage.up(program, { plan: true }).catch(() => {});
    const [made] = stage.heard("plan:made");
    if (!made) throw new Error("No plan was made.");
    return made;
  };
  return { world, Thing, stage, plan };
}

const rules = {
  size: ({ beforeApply }: EngineHooks) =>
    beforeApply.tap({ name: "p0", inPlans: true }, ({ props, veto }) => {
      const { value = 0 } = Object(props);
      if (value > 1) veto(`${value} is too big`);
      if (value > 2) veto("it would cost too much");
    }),
  owner: ({ beforeApply }: EngineHooks) =>
    beforeApply.tap({ name: "p1", inPlans: true }, ({ id, veto }) => {
      if (id !== "a") veto("it has no owner");
    }),
};

describe("a veto", () => {
  test("refuses an apply with the reasons of all plugins, and each is named", async () => {
    const { world, Thing, stage } = setUp(rules.size, rules.owner);
    const failures = await stage.failures(() => Thing("b", { value: 3 }));
    const reasons = [
      '3 is too big (plugin "p0")',
      'it would cost too much (plugin "p0")',
      'it has no owner (plugin "p1")',
    ];
    const message = ['"app/dev/b" may not be created:', ...reasons].join("\n  - ");
    expect(failures).toMatchObject([{ code: "VETOED", fqn: "app/dev/b", message }]);
    expect(world.calls).toEqual([]);
    expect(stage.heard("state:locked")).toEqual([]);
  });

  test("of an update names that, in one line where there is one reason", async () => {
    const { Thing, stage } = setUp(rules.size);
    await stage.up(() => Thing("a", { value: 1 }));
    const failures = await stage.failures(() => Thing("a", { value: 2 }));
    expect(failures).toMatchObject([{ message: '"app/dev/a" may not be updated: 2 is too big (plugin "p0")' }]);
  });

  test("of a delete keeps the resource, and what it needs", async () => {
    const { world, Thing, stage } = setUp(({ beforeDelete }) =>
      beforeDelete.tap("p0", ({ id, reason, veto }) => {
        if (id === "b") veto(`${reason}s are kept`);
      }),
    );
    await stage.up(async () => Thing("b", { uses: await Thing("a") }));
    expect(await stage.failures(() => {})).toMatchObject([
      { code: "VETOED", fqn: "app/dev/b", message: '"app/dev/b" may not be deleted: orphans are kept (plugin "p0")' },
    ]);
    expect(world.names).toEqual(["a#1", "b#2"]);
  });

  test("of a prune refuses all of it", async () => {
    const { world, Thing, stage } = setUp(({ beforePrune }) =>
      beforePrune.tap("p0", ({ items, veto }) => veto(`${items.length} are too many`)),
    );
    await stage.up(() => Promise.all([Thing("a"), Thing("b")]));
    expect(await stage.failures(() => {})).toMatchObject([
      { code: "VETOED", message: 'Nothing in "app/dev" may be pruned: 2 are too many (plugin "p0")' },
    ]);
    expect(world.names).toEqual(["a#1", "b#2"]);
  });

  test.each(["phase destroy", "engine.destroy(scope)", "engine.destroy(resource)"])(
    "of a destroy refuses all of it (%s)",
    async (way) => {
      const asked: string[][] = [];
      const { world, Thing, stage } = setUp(({ beforeDestroy }) =>
        beforeDestroy.tap("p0", ({ items, scope, veto }) => {
          asked.push([scope.fqn("x"), ...items.map(({ fqn }) => fqn).sort()]);
          veto("nobody approved");
        }),
      );
      world.on("create a", async () => void (await Thing("child")));
      await stage.up(() => Thing("a"));
      const failed =
        way === "phase destroy"
          ? stage.open({ phase: "destroy" })
          : stage.up(async (app) => {
              const a = await Thing("a");
              await stage.engine.destroy(way.includes("scope") ? app : a);
            });
      await expect(failed).rejects.toMatchObject({
        errors: [{ code: "VETOED", message: 'Nothing in "app/dev" may be destroyed: nobody approved (plugin "p0")' }],
      });
      expect(asked).toEqual([["app/dev/x", "app/dev/a", "app/dev/a/child"]]);
      expect(world.names).toEqual(["a#2", "child#1"]);
    },
  );

  test("beforeDestroy is not asked where nothing is there, nor by a prune", async () => {
    const { Thing, stage } = setUp(({ beforeDestroy }) => beforeDestroy.tap("p0", ({ veto }) => veto("never")));
    await stage.open({ phase: "destroy" });
    await stage.up(() => Thing("a"));
    await stage.up();
    expect(recordsOf(await stage.up())).toEqual([]);
  });
});

describe("in a plan", () => {
  test("every veto of a tap with inPlans is reported, and the plan continues to its end", async () => {
    const { world, Thing, stage, plan } = setUp(rules.size, rules.owner);
    await stage.up(() => Thing("a", { value: 1 }));
    const { errors, counts, stopped } = await plan(async () => {
      await Thing("a", { value: 2 });
      await Thing("b", { value: 3 });
      await Thing("c", { value: 0 });
    });
    expect(stopped).toBeUndefined();
    expect(counts).toMatchObject({ create: 2, update: 1 });
    expect(errors).toMatchObject(["a", "b", "c"].map((id) => ({ code: "VETOED", fqn: `app/dev/${id}` })));
    expect(errors[1]?.message.split("\n")).toHaveLength(4);
    expect(world.news()).toEqual(["create a"]);
  });

  test("taps without inPlans are not called; those with it are told that nothing will be done", async () => {
    const heard: string[] = [];
    const tap: Tap = (hooks) => {
      for (const name of ["beforeApply", "beforeDelete", "beforePrune", "beforeDestroy", "beforeFinalize"] as const) {
        hooks[name].tap("p0", () => void heard.push(`plain ${name}`));
        hooks[name].tap({ name: "p0", inPlans: true }, ({ planned }) => void heard.push(`${name} ${planned}`));
      }
    };
    const { Thing, stage, plan } = setUp(tap);
    await stage.up(() => [Thing("a"), Thing("b")]);
    heard.length = 0;
    await plan(async () => {
      await Thing("a", { value: 2 });
      await stage.engine.destroy(await Thing("c"));
    });
    const planned = ["Apply", "Apply", "Destroy", "Delete", "Finalize", "Prune", "Delete"];
    expect(heard).toEqual(planned.map((name) => `before${name} true`));
    heard.length = 0;
    await stage.up(() => Thing("a"));
    const done = ["Finalize", "Prune", "Delete"];
    expect(heard).toEqual(done.flatMap((name) => [`plain before${name}`, `before${name} false`]));
  });

  test("what beforePrune keeps is kept in the plan, and a veto of it is among the errors with the deletes listed", async () => {
    let vetoes = false;
    const { Thing, stage, plan } = setUp(({ beforePrune }) =>
      beforePrune.tap({ name: "p0", inPlans: true }, ({ items, keep, veto }) => {
        if (vetoes) return veto("not today");
        for (const item of items) if (item.id === "a") keep(item, "it is dear");
      }),
    );
    await stage.up(() => Promise.all([Thing("a"), Thing("b")]));
    const kept = await plan(() => {});
    expect(kept.kept).toMatchObject([{ fqn: "app/dev/a", reason: "it is dear" }]);
    expect(kept.actions.map(({ fqn }) => fqn)).toEqual(["app/dev/b"]);
    vetoes = true;
    const refused = await plan(() => {});
    expect(refused.counts.delete).toBe(2);
    expect(refused.errors).toMatchObject([{ code: "VETOED" }]);
  });

  test("what beforeFinalize throws is among the errors", async () => {
    const { Thing, plan } = setUp(({ beforeFinalize }) =>
      beforeFinalize.tap({ name: "p0", inPlans: true }, () => {
        throw new Error("the month's money is spent");
      }),
    );
    const { errors, counts } = await plan(() => Thing("a"));
    expect(counts.create).toBe(1);
    expect(errors.map(({ message }) => message)).toEqual([
      'Plugin "p0" failed in hook "beforeFinalize": the month\'s money is spent',
    ]);
  });

  test("a rule that meets an unknown value is excused", async () => {
    const { world, plan, Thing } = setUp(({ beforeApply }) =>
      beforeApply.tap({ name: "p0", inPlans: true }, ({ props, veto }) => {
        if (Object(props).uses > 3) veto("too much");
      }),
    );
    const { errors, counts } = await plan(async () => {
      const { value } = await Thing("a", { uses: "x" });
      await Thing("b", { uses: value });
    });
    expect(errors).toEqual([]);
    expect(counts.create).toBe(2);
    expect(world.calls).toEqual([]);
  });

  test.each([false, true])("vetoes name what a replace would delete (first: %s), children before it", async (first) => {
    const asked: string[] = [];
    const { world, Thing, stage, plan } = setUp(({ beforeDelete }) =>
      beforeDelete.tap({ name: "p0", inPlans: true }, ({ id, reason, veto }) => {
        asked.push(`${reason} ${id}`);
        veto("it is needed");
      }),
    );
    world.on("create a", async () => void (await Thing("child")));
    await stage.up(() => Thing("a"));
    const { errors } = await plan(() => Thing("a", { name: "y" }, { deleteBeforeReplace: first }));
    expect(asked).toEqual(["replaced child", "replaced a"]);
    expect(errors.map(({ message }) => message)).toEqual(
      ["a/child", "a"].map((fqn) => `"app/dev/${fqn}" may not be deleted: it is needed (plugin "p0")`),
    );
  });
});

describe("a tap that is last", () => {
  test("is called after those that were tapped later", async () => {
    const order: string[] = [];
    const { Thing, stage } = setUp(
      ({ beforeApply }) => beforeApply.tap({ name: "p0", last: true }, () => void order.push("last")),
      ({ beforeApply }) => beforeApply.tap("p1", () => void order.push("first")),
    );
    await stage.up(() => Thing("a"));
    expect(order).toEqual(["first", "last"]);
  });
});

let vetoLate = (): void => {};
const tooLate: Tap = ({ beforeApply }) =>
  beforeApply.tap("p0", ({ veto }) => {
    vetoLate = () => veto("it was not approved");
  });
const silent: Tap = ({ beforeApply }) => beforeApply.tap("p1", () => {});

describe("a veto", () => {
  test.each([
    ["it", [tooLate], 'plugin "p0"'],
    ["one of several", [tooLate, silent], 'one of the plugins "p0", "p1"'],
  ])("whose plugin did not wait for what %s asked fails the run, though it refuses nothing", async (_, taps, whose) => {
    const { world, Thing, stage } = tappedWorld(taps);
    world.on("create a", () => vetoLate());
    const message = `A veto of ${whose} came after all taps had ended, so it refused nothing. Await the asynchronous work in the tap. The veto was: "app/dev/a" may not be created: it was not approved`;
    expect(await stage.failures(() => Thing("a"))).toMatchObject([
      { code: "PLUGIN_FAILED", fqn: "app/dev/a", message },
    ]);
    expect(world.names).toEqual(["a#1"]);
  });

  test("without a reason says that there is none", async () => {
    const { Thing, stage } = setUp(({ beforeApply }) =>
      beforeApply.tap("p0", ({ veto }) => Reflect.apply(veto, undefined, [])),
    );
    const message = '"app/dev/a" may not be created: no reason was given (plugin "p0")';
    expect(await stage.failures(() => Thing("a"))).toMatchObject([{ code: "VETOED", message }]);
  });
});
