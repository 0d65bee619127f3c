/** What plugins get to know of a run, and when. */
import { describe, expect, test } from "vitest";
import { isUnknown } from "../../../core/base/index.js";
import type { PluginHost } from "../../../core/contract/index.js";
import type { BeforeApplyContext } from "../../../core/contract/plugin/index.js";
import { definePlugin } from "../../../core/plugin/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";

function setUp(apply: (host: PluginHost) => void, ...more: ((host: PluginHost) => void)[]) {
  const plugins = [apply, ...more].map((one, index) => definePlugin({ name: `p${index}`, apply: one }));
  return newWorld({ replaceOn: ["name"] }, { plugins });
}

describe("a run", () => {
  test("has one id for all that is told of it, another than the run before, and none for what is only referred to", async () => {
    const ids: (string | undefined)[] = [];
    const { stage } = setUp(({ hooks, events }) => {
      hooks.storeRequest.tapPromise("p0", ({ run }, next) => {
        ids.push(run);
        return next();
      });
      hooks.stateLoaded.tap("p0", ({ run }) => void ids.push(run?.run));
      for (const name of ["run:started", "run:finished"] as const) events.on(name, ({ run }) => void ids.push(run));
    });
    const app = await stage.up((root) => root.outputs({ x: 1 }));
    const first = new Set(ids.splice(0));
    expect([first.size, first.has(undefined)]).toEqual([1, false]);
    await app.run(() => stage.engine.ref("app", { stage: "dev", password: "other" }).catch(() => {}));
    await app.finalize();
    const second = new Set(ids);
    expect([second.size, second.has(undefined)]).toEqual([2, true]);
    expect([...first].filter((id) => second.has(id))).toEqual([]);
  });

  test("that could not begin cleans up what plugins have taken, after it has told of the failure", async () => {
    const order: string[] = [];
    const { stage } = setUp(({ hooks, events }) => {
      hooks.stateLoaded.tap("p0", () => {
        throw new Error("no");
      });
      events.on("run:failed", ({ by, planned }) => void order.push(`failed ${by.pid === process.pid} ${planned}`));
      hooks.cleanup.tap("p0", () => void order.push("cleanup"));
    });
    await expect(stage.open()).rejects.toThrow("no");
    expect(order).toEqual(["failed true false", "cleanup"]);
  });

  test("comes to beforeFinalize when all has settled, and awaits what that declares", async () => {
    const { world, Thing, stage } = setUp(({ hooks }) => {
      hooks.beforeFinalize.tap("p0", ({ summary }) => {
        expect(summary.created).toBe(2);
        Thing("late");
      });
    });
    await stage.up((app) => {
      Thing("a");
      void app.defer(() => Thing("b"));
    });
    expect(world.names).toEqual(["a#1", "b#2", "late#3"]);
  });
});

describe("a hook", () => {
  test("of a delete that failed has the error and the reason, and one that fails itself fails the run beside it", async () => {
    const seen: unknown[] = [];
    const { Thing, stage, failed } = setUp(({ hooks }) =>
      hooks.deleteFailed.tap("p0", ({ id, reason, error, output }) => {
        seen.push([id, reason, Object(error).code, Object(output).thing]);
        throw new Error("second");
      }),
    );
    await stage.up(() => Thing("a"));
    const failures = await failed("delete a", () => {});
    expect(seen).toEqual([["a", "orphan", "HANDLER_FAILED", "a#1"]]);
    expect(failures).toHaveLength(2);
  });

  test("knows what other plugins have left of a prune", async () => {
    const left: string[][] = [];
    const { Thing, stage } = setUp(({ hooks }) => {
      hooks.beforePrune.tap(
        { name: "p0", last: true },
        ({ remaining }) => void left.push(remaining.map(({ id }) => id)),
      );
      hooks.beforePrune.tap("p0", ({ items, keep }) => {
        for (const item of items) if (item.id === "a") keep(item, "needed");
      });
    });
    await stage.up(() => Promise.all([Thing("a"), Thing("b")]));
    await stage.up();
    expect(left).toEqual([["b"]]);
  });

  test.each([true, false])("knows whether a replace deletes first (%s), in its plan, too", async (first) => {
    const seen: unknown[] = [];
    const { Thing, stage } = setUp(({ hooks }) => {
      const note = ({ action, deleteFirst, planned }: BeforeApplyContext) =>
        void seen.push([action, deleteFirst, planned]);
      hooks.beforeApply.tap({ name: "p0", inPlans: true }, note);
    });
    await stage.up(() => Thing("a"));
    const program = () => Thing("a", { name: "y" }, { deleteBeforeReplace: first });
    await stage.up(program, { plan: true });
    await stage.up(program);
    expect(seen).toEqual([
      ["create", false, false],
      ["replace", first, true],
      ["replace", first, false],
    ]);
  });

  test("that throws after another one's veto leaves that as it is, and one that comes later knows of it", async () => {
    const asked: boolean[] = [];
    const { Thing, stage } = setUp(
      ({ hooks }) => hooks.beforeApply.tap("p0", ({ veto }) => veto("too dear")),
      ({ hooks }) => hooks.beforeApply.tap("p1", ({ isVetoed }) => void asked.push(isVetoed())),
      ({ hooks }) =>
        hooks.beforeApply.tap("p2", () => {
          throw new Error("no");
        }),
    );
    const failures = await stage.failures(() => Thing("a"));
    expect(failures).toMatchObject([{ code: "VETOED", message: expect.stringContaining("too dear") }]);
    expect(asked).toEqual([true]);
  });
});

test("a warning of a plugin may name what it is about", async () => {
  const { stage } = setUp(({ events, warn }) => events.on("run:started", () => warn("ODD", "odd", "app/dev/a")));
  await stage.up();
  expect(stage.heard("warning")).toMatchObject([{ code: "ODD", fqn: "app/dev/a" }]);
});

test("isUnknown tells a value that nobody knows yet, and a text that holds one", async () => {
  const { Thing, stage } = setUp(() => {});
  const seen: boolean[] = [];
  await stage.up(
    async () => {
      const { value } = await Thing("a");
      seen.push(...[value, `x${value}`, "x", undefined, () => {}].map(isUnknown));
    },
    { plan: true },
  );
  expect(seen).toEqual([true, true, false, false, false]);
});
