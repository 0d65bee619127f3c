import { describe, expect, test } from "vitest";
import type { EngineHooks, EnginePlugin } from "../../../core/contract/index.js";
import { definePlugin } from "../../../core/plugin/index.js";
import { createEngine } from "../../../plugins/engine/index.js";
import { Stage } from "../../helpers/apps/stage.js";
import { World } from "../../helpers/apps/world.js";

const HOOKS = [
  "scopeCreated",
  "props",
  "beforeApply",
  "afterApply",
  "applyFailed",
  "beforeDelete",
  "afterDelete",
  "deleteFailed",
  "beforePrune",
  "beforeFinalize",
  "afterFinalize",
] as const;

function plugin(tap: (hooks: EngineHooks) => void): EnginePlugin {
  return definePlugin({ name: "test", apply: ({ hooks }) => tap(hooks) });
}

function setUp(tap: (hooks: EngineHooks) => void = () => {}) {
  const world = new World();
  return { world, Thing: world.type({ replaceOn: ["name"] }), stage: new Stage({ plugins: [plugin(tap)] }) };
}

/** What each hook was called with, without what is the same in all calls. */
function watched() {
  const calls: [string, Record<string, unknown>][] = [];
  const { world, Thing, stage } = setUp((hooks) => {
    for (const name of HOOKS) hooks[name].tap("test", (context) => void calls.push([name, { ...context }]));
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
    expect(names()).toEqual([
      "scopeCreated",
      "props",
      "beforeFinalize",
      "beforePrune",
      "beforeDelete",
      "afterDelete",
      "afterFinalize",
    ]);
  });

  test("around a create, an update and a replace know the resource, the action, the props and the output", async () => {
    const { Thing, stage, news } = watched();
    const outputs = [
      { thing: "a#1", value: 1 },
      { thing: "a#1", value: 2 },
      { thing: "a#2", value: 2 },
    ];
    const ref = { kind: Thing.kind, id: "a", fqn: "app/dev/a" };
    for (const [index, props] of [{ value: 1 }, { value: 2 }, { value: 2, name: "y" }].entries()) {
      await stage.up(() => Thing("a", props));
      const action = ["create", "update", "replace"][index];
      const changes = [[], ["/value"], ["/name"]][index];
      const calls = new Map(news());
      expect(calls.get("beforeApply")).toMatchObject({ ...ref, action, props, changes });
      expect(calls.get("beforeApply")?.output).toEqual(outputs[index - 1]);
      expect(calls.get("afterApply")).toMatchObject({ ...ref, action, props, changes, output: outputs[index] });
      expect(calls.get("beforeApply")?.scope).toMatchObject({ name: "app" });
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
    expect(calls.get("applyFailed")).toMatchObject({
      id: "a",
      action: "create",
      props: { value: 1 },
      error: errors[0],
    });
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
      encodeValue.tap("test", ({ value }) => (value instanceof Money ? { $money: value.cents } : undefined));
      decodeValue.tap("test", ({ tag, body }) => (tag === "$money" ? { value: new Money(Number(body)) } : undefined));
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
    const choosing = plugin(({ stateStore }) => {
      stateStore.tap("test", ({ appName, stage }) => {
        chosen.push(appName, stage);
        return store;
      });
    });
    const app = await createEngine({ plugins: [choosing] })("app", { stage: "dev", argv: [], env: {} });
    await app.finalize();
    expect(chosen).toEqual(["app", "dev"]);
  });

  test("clean up at the end, all of them, and a failure there is a warning", async () => {
    const cleaned: string[] = [];
    const { Thing, stage } = setUp(({ cleanup }) => {
      cleanup.tap("test", ({ scope }) => {
        cleaned.push(scope.name);
        throw new Error("left behind");
      });
      cleanup.tap("other", () => void cleaned.push("other"));
    });
    await stage.up(() => Thing("a"));
    expect(cleaned).toEqual(["app", "other"]);
    expect(stage.heard("warning")).toMatchObject([
      { code: "CLEANUP_FAILED", message: expect.stringMatching(/"test".*"cleanup".*left behind/) },
    ]);
  });
});
