/** Hooks of a run: their order and their contexts. */
import { describe, expect, test } from "vitest";
import { isUnknown } from "../../../core/base/index.js";
import type { PluginHost } from "../../../core/contract/index.js";
import type { BeforeApplyContext } from "../../../core/contract/plugin/index.js";
import { definePlugin } from "../../../core/plugin/index.js";
import { createEngine } from "../../../plugins/engine/index.js";
import { newWorld } from "../../helpers/apps/new-world.js";
import { Stage } from "../../helpers/apps/stage.js";
import { type Tap, tappedWorld } from "./tapped.js";

const HOOKS = [
  ...(["scopeCreated", "props", "beforeApply", "afterApply", "applyFailed"] as const),
  ...(["beforeDelete", "afterDelete", "deleteFailed", "beforePrune", "beforeFinalize", "afterFinalize"] as const),
];

const setUp = (tap: Tap) => tappedWorld([tap]);

/** Hook calls with their contexts, without the members that are the same in all calls. */
function watched() {
  const calls: [string, Record<string, unknown>][] = [];
  const { world, Thing, stage } = setUp((hooks) => {
    for (const name of HOOKS) hooks[name].tap("p0", (context) => void calls.push([name, { ...context }]));
  });
  const news = () => calls.splice(0);
  return { world, Thing, stage, news, names: () => news().map(([name]) => name) };
}

describe("the hooks of a run", () => {
  test("are called in the order of the table", async () => {
    const { Thing, stage, names } = watched();
    await stage.up(async () => {
      await Thing("a");
      await stage.engine.run("s", () => Thing("b"));
    });
    expect(names()).toEqual([
      "scopeCreated",
      ...["props", "beforeApply", "afterApply"],
      ...["scopeCreated", "props", "beforeApply", "afterApply"],
      ...["beforeFinalize", "afterFinalize"],
    ]);
    await stage.up(() => Thing("a"));
    const pruned = ["beforePrune", "beforeDelete", "afterDelete"];
    expect(names()).toEqual(["scopeCreated", "props", "beforeFinalize", ...pruned, "afterFinalize"]);
  });

  test("around a create, an update and a replace know the resource, the action, the props and the output", async () => {
    const { Thing, stage, news } = watched();
    const ref = { kind: Thing.kind, id: "a", fqn: "app/dev/a" };
    let before: unknown;
    for (const [action, props, changes, thing] of [
      ["create", { value: 1 }, [], "a#1"],
      ["update", { value: 2 }, ["/value"], "a#1"],
      ["replace", { value: 2, name: "y" }, ["/name"], "a#2"],
    ] as const) {
      await stage.up(() => Thing("a", props));
      const [calls, output] = [new Map(news()), { thing, value: props.value }];
      expect(calls.get("beforeApply")).toMatchObject({ ...ref, action, props, changes, scope: { name: "app" } });
      expect(calls.get("beforeApply")?.output).toEqual(before);
      expect(calls.get("afterApply")).toMatchObject({ ...ref, action, props, changes, output });
      before = output;
    }
  });

  test("around a delete know why", async () => {
    const { Thing, stage, news } = watched();
    const deletes = (calls: ReturnType<typeof news>) =>
      calls.flatMap(([name, { id, reason, output }]) => (name.endsWith("Delete") ? [[name, id, reason, output]] : []));
    const a = { thing: "a#1", value: undefined };
    await stage.up(() => Thing("a"));
    news();
    await stage.up(() => Thing("a", { name: "y" }));
    expect(deletes(news())).toEqual([
      ["beforeDelete", "a", "replaced", a],
      ["afterDelete", "a", "replaced", a],
    ]);
    await stage.up();
    expect(deletes(news()).map(([, , reason]) => reason)).toEqual(["orphan", "orphan"]);
    await stage.up(async () => stage.engine.destroy(await Thing("a")));
    expect(deletes(news()).map(([, , reason]) => reason)).toEqual(["destroy", "destroy"]);
  });

  test("at a failure know the error, and at the end all of them", async () => {
    const { world, Thing, stage, news } = watched();
    world.fails("create a");
    const errors = await stage.failures(() => Thing("a", { value: 1 }));
    const calls = new Map(news());
    const [error] = errors;
    expect(calls.get("applyFailed")).toMatchObject({ id: "a", action: "create", props: { value: 1 }, error });
    expect(calls.get("afterFinalize")).toMatchObject({ phase: "up", summary: { failed: 1 }, errors });
    expect(calls.has("afterApply")).toBe(false);
    expect(calls.has("beforePrune")).toBe(false);
  });
});

describe("the hooks beside those of resources", () => {
  class Money {
    readonly cents: number;
    constructor(cents: number) {
      this.cents = cents;
    }
  }

  test("let props and outputs hold values of a plugin's own, which are compared and come back as such", async () => {
    const { world, Thing, stage } = setUp(({ encodeValue, decodeValue }) => {
      encodeValue.tap("p0", ({ value }) => (value instanceof Money ? { $money: value.cents } : undefined));
      decodeValue.tap("p0", ({ tag, body }) => (tag === "$money" ? { value: new Money(Number(body)) } : undefined));
    });
    const program = (cents: number) => async () => {
      const { value } = await Thing("a", { value: new Money(cents) });
      expect(value).toEqual(new Money(cents));
    };
    for (const cents of [5, 5, 6]) await stage.up(program(cents));
    expect(world.calls).toEqual(["create a", "update a"]);
  });

  test("choose the store where no option does", async () => {
    const chosen: unknown[] = [];
    const { store } = new Stage();
    const choosing = definePlugin({
      name: "choosing",
      apply: ({ hooks }) =>
        hooks.stateStore.tap("choosing", ({ appName, stage }) => {
          chosen.push(appName, stage);
          return store;
        }),
    });
    const app = await createEngine({ plugins: [choosing] })("app", { stage: "dev", argv: [], env: {} });
    await app.finalize();
    expect(chosen).toEqual(["app", "dev"]);
  });

  test("clean up at the end, all of them, and a failure there is a warning", async () => {
    const cleaned: string[] = [];
    const { Thing, stage } = setUp(({ cleanup }) => {
      cleanup.tap("p0", ({ scope }) => {
        cleaned.push(scope.name);
        throw new Error("left behind");
      });
      cleanup.tap("other", () => void cleaned.push("other"));
    });
    await stage.up(() => Thing("a"));
    expect(cleaned).toEqual(["app", "other"]);
    expect(stage.heard("warning")).toMatchObject([
      { code: "CLEANUP_FAILED", message: expect.stringMatching(/"p0".*"cleanup".*left behind/) },
    ]);
  });
});

function pluggedIn(apply: (host: PluginHost) => void, ...more: ((host: PluginHost) => void)[]) {
  const plugins = [apply, ...more].map((one, index) => definePlugin({ name: `p${index}`, apply: one }));
  return newWorld({ replaceOn: ["name"] }, { plugins });
}

describe("a run", () => {
  test("has one id in all its events, another than the run before, and none for stages that are only referred to", async () => {
    const ids: (string | undefined)[] = [];
    const { stage } = pluggedIn(({ hooks, events }) => {
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
    const { stage } = pluggedIn(({ hooks, events }) => {
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
    const { world, Thing, stage } = pluggedIn(({ hooks }) => {
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
    const { Thing, stage, failed } = pluggedIn(({ hooks }) =>
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
    const { Thing, stage } = pluggedIn(({ hooks }) => {
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
    const { Thing, stage } = pluggedIn(({ hooks }) => {
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
    const { Thing, stage } = pluggedIn(
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
  const { stage } = pluggedIn(({ events, warn }) => events.on("run:started", () => warn("ODD", "odd", "app/dev/a")));
  await stage.up();
  expect(stage.heard("warning")).toMatchObject([{ code: "ODD", fqn: "app/dev/a" }]);
});

test("isUnknown recognizes an unknown value, and a text that holds one", async () => {
  const { Thing, stage } = pluggedIn(() => {});
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
