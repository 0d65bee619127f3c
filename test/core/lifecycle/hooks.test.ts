import { describe, expect, test } from "vitest";
import { definePlugin } from "../../../core/plugin/index.js";
import { createEngine } from "../../../plugins/engine/index.js";
import { Stage } from "../../helpers/apps/stage.js";
import { type Tap, tappedWorld } from "./tapped.js";

const HOOKS = [
  ...(["scopeCreated", "props", "beforeApply", "afterApply", "applyFailed"] as const),
  ...(["beforeDelete", "afterDelete", "deleteFailed", "beforePrune", "beforeFinalize", "afterFinalize"] as const),
];

const setUp = (tap: Tap) => tappedWorld([tap]);

/** What each hook was called with, without what is the same in all calls. */
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
