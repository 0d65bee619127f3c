import { describe, expect, it } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import { type EngineOptions, Scope } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { recorder, rejection, testApps } from "../helpers/apps/apps.ts";
import { untyped } from "../helpers/apps/options.ts";
import { newThings } from "../helpers/apps/things.ts";

const { engine, open } = testApps();

describe("engine.run(name, fn)", () => {
  it("runs a function in a new child scope and resolves with its result", async () => {
    const app = await open();
    const result = await engine.run("child", async (scope) => {
      expect(scope).toBe(Scope.current);
      expect(scope.parent).toBe(app);
      return 7;
    });
    expect(result).toBe(7);
  });

  it("makes the scope once a name: a second call enters it again", async () => {
    const app = await open();
    const first = await engine.run("child", (scope) => scope);
    const second = await engine.run("child", (scope) => scope);
    expect(second).toBe(first);
    expect([...app.children]).toEqual([["child", first]]);
  });

  it("a second time prunes nothing of the first", async () => {
    const app = await open();
    const { Thing, there } = newThings();
    await engine.run("child", () => Thing("a"));
    await engine.run("child", () => Thing("b"));
    await app.finalize();
    expect([...there.keys()]).toEqual(["shop/dev/child/a", "shop/dev/child/b"]);
  });

  it("nests, with FQNs and physical names of the whole chain", async () => {
    await open({ stage: "prod" });
    const { Thing } = newThings();
    const made = await engine.run("eu", () => engine.run("west", () => Thing("queue")));
    const inner = await engine.run("eu", () => engine.run("west", (scope) => scope));
    expect(inner.fqn("queue")).toBe("shop/prod/eu/west/queue");
    expect(inner.createPhysicalName("queue")).toBe("shop-eu-west-queue-prod");
    expect(made.name).toBe("shop-eu-west-queue-prod");
  });

  it("lets scopes hold resources of the same id", async () => {
    await open();
    const { Thing, there } = newThings();
    await Thing("a", { text: "root" });
    await engine.run("one", () => Thing("a", { text: "one" }));
    await engine.run("two", () => Thing("a", { text: "two" }));
    expect(Object.fromEntries(there)).toEqual({
      "shop/dev/a": "root",
      "shop/dev/one/a": "one",
      "shop/dev/two/a": "two",
    });
  });

  it("tells observers and hooks of a new scope, once", async () => {
    const heard = recorder();
    const hooked: string[] = [];
    const watching = definePlugin({
      name: "watching",
      apply: ({ hooks }) => hooks.scopeCreated.tap("watching", ({ scope }) => void hooked.push(scope.chain.join("/"))),
    });
    await open({ plugins: [heard.plugin, watching] });
    await engine.run("child", () => {});
    await engine.run("child", () => {});
    expect(hooked).toEqual(["shop/dev", "shop/dev/child"]);
    expect(heard.events.filter(({ type }) => type === "scope:created")).toEqual([
      { type: "scope:created", fqn: "shop/dev" },
      { type: "scope:created", fqn: "shop/dev/child" },
    ]);
  });

  it("lets the hook of its creation use the scope", async () => {
    const seen: unknown[] = [];
    const setting = definePlugin({
      name: "setting",
      apply: ({ hooks }) =>
        hooks.scopeCreated.tapPromise("setting", async ({ scope }) => {
          await scope.set("key", scope.name);
          seen.push(await scope.get("key"), await scope.has("a"));
        }),
    });
    await open({ plugins: [setting] });
    await engine.run("child", () => {});
    expect(seen).toEqual(["shop", false, "child", false]);
  });

  it("enters no scope before the hook of its creation has ended", async () => {
    const order: string[] = [];
    const slow = definePlugin({
      name: "slow",
      apply: ({ hooks }) =>
        hooks.scopeCreated.tapPromise("slow", async ({ scope }) => {
          await new Promise((resolve) => setImmediate(resolve));
          order.push(`ready ${scope.name}`);
        }),
    });
    await open({ plugins: [slow] });
    await Promise.all([1, 2].map(() => engine.run("child", () => void order.push("run"))));
    expect(order).toEqual(["ready shop", "ready child", "run", "run"]);
  });

  it("makes no scope that a hook refuses, and fails the run", async () => {
    const refusing = definePlugin({
      name: "refusing",
      apply: ({ hooks }) =>
        hooks.scopeCreated.tap("refusing", ({ scope }) => {
          if (scope.parent) throw new Error("No children.");
        }),
    });
    const app = await open({ plugins: [refusing] });
    for (let attempt = 0; attempt < 2; attempt++) {
      expect(await rejection(engine.run("child", () => {}))).toMatchObject({ code: "PLUGIN_FAILED" });
    }
    expect(app.children.size).toBe(0);
    expect(await rejection(app.finalize())).toMatchObject({ name: "RunFailedError" });
  });

  it("that rejects rejects with the same error, and fails its scope and the ones above", async () => {
    const app = await open();
    const error = new Error("Half-way.");
    expect(await rejection(engine.run("child", () => Promise.reject(error)))).toBe(error);
    expect(await rejection(app.finalize())).toMatchObject({ name: "RunFailedError", errors: [error] });
  });

  it.each([["a/b"], [""], ["."], [".."], ["../../up"], ["a\u0000b"], ["x".repeat(257)]])(
    "refuses %j as a name, which would leave its place in the state",
    async (name) => {
      await open();
      expect(await rejection(engine.run(name, () => {}))).toMatchObject({ code: "INVALID_NAME" });
    },
  );

  it.each([["a*b"], ["a b"], ["ä"], ["a:b"], ["CON"]])("takes %j as a name, again and again", async (name) => {
    const stateStore = memoryStore();
    const { Thing, calls } = newThings();
    for (let run = 0; run < 2; run++) {
      const app = await open({ stateStore });
      await engine.run(name, () => Thing(name));
      await app.finalize();
    }
    expect(calls).toEqual([`create shop/dev/${name}/${name}`]);
  });

  it("without a function is INVALID_CALL", async () => {
    await open();
    expect(await rejection(Reflect.apply(engine.run, engine, ["child"]))).toMatchObject({ code: "INVALID_CALL" });
  });
});

describe("engine.run(name, options, fn)", () => {
  it("gives the scope options of its own, which its children inherit", async () => {
    await open();
    await engine.run("quiet", { quiet: true, force: true }, async (scope) => {
      expect([scope.quiet, scope.force, scope.adopt]).toEqual([true, true, false]);
      await engine.run("inner", { force: false }, (inner) => expect([inner.quiet, inner.force]).toEqual([true, false]));
    });
  });

  it("again with the same options enters it again; with others is INVALID_OPTION", async () => {
    await open();
    await engine.run("child", { quiet: true }, () => {});
    await engine.run("child", { quiet: true }, () => {});
    await engine.run("child", () => {});
    expect(await rejection(engine.run("child", { quiet: false }, () => {}))).toMatchObject({
      code: "INVALID_OPTION",
      fqn: "shop/dev/child",
      message: expect.stringContaining('another value of "quiet"'),
    });
  });

  it.each<[string, EngineOptions]>([
    ["stage", { stage: "prod" }],
    ["phase", { phase: "read" }],
    ["stateStore", { stateStore: memoryStore() }],
    ["rootDir", { rootDir: "/tmp" }],
    ["concurrency", { concurrency: 1 }],
  ])("refuses %s, which belongs to the whole app", async (name, options) => {
    await open();
    expect(await rejection(engine.run("child", untyped({ ...options }), () => {}))).toMatchObject({
      code: "INVALID_OPTION",
      message: expect.stringContaining(`Option "${name}" belongs to the whole app`),
    });
  });

  it("forces updates in that scope only", async () => {
    const stateStore = memoryStore();
    const { Thing, calls } = newThings();
    const first = await open({ stateStore });
    await Thing("a");
    await engine.run("child", () => Thing("a"));
    await first.finalize();
    calls.length = 0;
    const second = await open({ stateStore });
    await Thing("a");
    await engine.run("child", { force: true }, () => Thing("a"));
    await second.finalize();
    expect(calls).toEqual(["update shop/dev/child/a"]);
  });
});

describe("a name that is both a scope and a resource with children", () => {
  it("is DUPLICATE_ID where the scope comes first", async () => {
    await open();
    const things = newThings();
    const { Thing } = newThings();
    things.inside = async (fqn) => {
      if (fqn === "shop/dev/both") await Thing("child");
    };
    await engine.run("both", () => Thing("a"));
    expect(await rejection(things.Thing("both"))).toMatchObject({
      code: "DUPLICATE_ID",
      message: expect.stringContaining("both a scope and a resource with children"),
    });
  });

  it("is DUPLICATE_ID where the resource comes first", async () => {
    await open();
    const things = newThings();
    const { Thing } = newThings();
    things.inside = async () => {
      await Thing("child");
    };
    await things.Thing("both");
    expect(await rejection(engine.run("both", () => Thing("a")))).toMatchObject({ code: "DUPLICATE_ID" });
  });

  it("is fine for a resource without children", async () => {
    const app = await open();
    const { Thing, there } = newThings();
    await Thing("both");
    await engine.run("both", () => Thing("a"));
    await app.finalize();
    expect([...there.keys()]).toEqual(["shop/dev/both", "shop/dev/both/a"]);
  });
});
