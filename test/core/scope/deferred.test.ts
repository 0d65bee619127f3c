import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { Phase } from "../../../core/base/index.js";
import { rejection, testApps } from "../../helpers/apps/apps.ts";
import { newThings } from "../../helpers/apps/things.ts";

const { engine, open } = testApps();

describe("scope.defer(fn)", () => {
  it("runs at finalize, not before, and resolves with the result", async () => {
    const app = await open();
    const order: string[] = [];
    const value = app.defer(async () => {
      order.push("deferred");
      return 7;
    });
    await new Promise((resolve) => setImmediate(resolve));
    order.push("program");
    await app.finalize();
    expect(order).toEqual(["program", "deferred"]);
    expect(await value).toBe(7);
  });

  it.each<[Phase]>([["up"], ["read"], ["destroy"]])("runs in the phase %s", async (phase) => {
    const app = await open({ phase });
    const value = app.defer(() => app.phase);
    await app.finalize();
    expect(await value).toBe(phase);
  });

  it("runs each function once, in their order, also those of nested scopes", async () => {
    const app = await open();
    const order: string[] = [];
    const note = (name: string) => () => void order.push(name);
    void app.defer(note("first"));
    await engine.run("child", async (child) => {
      void child.defer(note("child"));
      await engine.run("inner", (inner) => [inner.defer(note("inner"))]);
    });
    void app.defer(note("last"));
    await app.finalize();
    await app.finalize();
    expect(order).toEqual(["first", "child", "inner", "last"]);
  });

  it("runs what a deferred function defers", async () => {
    const app = await open();
    const inner = app.defer(async () => [app.defer(async () => "inner")]);
    await app.finalize();
    expect(await (await inner)[0]).toBe("inner");
  });

  it("runs after all declarations, also those that were not awaited", async () => {
    const app = await open();
    const { Thing, there } = newThings();
    void Thing("a", { text: "made" });
    const seen = app.defer(() => [...there.values()]);
    await app.finalize();
    expect(await seen).toEqual(["made"]);
  });

  it("may declare resources, which are not pruned", async () => {
    const stateStore = memoryStore();
    const { Thing, there, calls } = newThings();
    for (let run = 0; run < 2; run++) {
      const app = await open({ stateStore });
      void app.defer(() => Thing("a"));
      await app.finalize();
    }
    expect([...there.keys()]).toEqual(["shop/dev/a"]);
    expect(calls).toEqual(["create shop/dev/a"]);
  });

  it("runs although the run has failed", async () => {
    const app = await open();
    const { Thing } = newThings();
    await rejection(Thing("a", { fails: "No paper." }));
    const value = app.defer(() => "still");
    await rejection(app.finalize());
    expect(await value).toBe("still");
  });

  it("that rejects rejects its own promise and fails the run; the others still run", async () => {
    const stateStore = memoryStore();
    const { Thing, there } = newThings();
    const first = await open({ stateStore });
    await Thing("orphan");
    await first.finalize();
    const app = await open({ stateStore });
    const error = new Error("Not today.");
    const failing = app.defer(() => Promise.reject(error));
    const other = app.defer(() => "ran");
    expect(await rejection(app.finalize())).toMatchObject({ name: "RunFailedError", errors: [error] });
    expect(await rejection(failing)).toBe(error);
    expect(await other).toBe("ran");
    expect([...there.keys()]).toEqual(["shop/dev/orphan"]);
  });

  it("does not end the process if a rejected promise is not awaited", async () => {
    const app = await open();
    void app.defer(() => {
      throw new Error("Unheard.");
    });
    expect(await rejection(app.finalize())).toMatchObject({ name: "RunFailedError" });
  });

  it("is refused without a function", async () => {
    const app = await open();
    expect(() => Reflect.apply(app.defer, app, [Promise.resolve()])).toThrow(
      expect.objectContaining({ code: "INVALID_CALL" }),
    );
  });

  it("is refused on an app that is finalized, where nothing would run it", async () => {
    const app = await open();
    await app.finalize();
    expect(() => app.defer(() => 1)).toThrow(expect.objectContaining({ code: "NO_SCOPE" }));
  });

  it("is refused once the deferred functions have run", async () => {
    const app = await open();
    let late: unknown;
    app.hooks.afterFinalize.tap("test", () => {
      try {
        void app.defer(() => 1);
      } catch (error) {
        late = error;
      }
    });
    await app.finalize();
    expect(late).toMatchObject({ code: "NO_SCOPE" });
  });

  it("runs what a resource's handler defers while deferred functions declare it", async () => {
    const app = await open();
    const things = newThings();
    const values: Promise<string>[] = [];
    things.inside = (fqn, scope) => void values.push(scope.defer(() => fqn));
    void app.defer(() => {
      void things.Thing("a");
    });
    await app.finalize();
    expect(await Promise.all(values)).toEqual(["shop/dev/a"]);
  });
});

describe("a nested scope's finalize()", () => {
  it("runs its deferred functions and those below it, and no others", async () => {
    const app = await open();
    const order: string[] = [];
    const note = (name: string) => () => void order.push(name);
    void app.defer(note("root"));
    await engine.run("child", async (child) => {
      void child.defer(note("child"));
      await engine.run("inner", (inner) => [inner.defer(note("inner"))]);
      await child.finalize();
    });
    expect(order).toEqual(["child", "inner"]);
    await app.finalize();
    expect(order).toEqual(["child", "inner", "root"]);
  });
});
