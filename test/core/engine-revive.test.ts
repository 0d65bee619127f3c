import { describe, expect, it } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import { Scope } from "../../core/contract/index.js";
import { rejection, testApps } from "../helpers/apps/apps.ts";
import { newThings } from "../helpers/apps/things.ts";

const { engine, open } = testApps();
const noScope = expect.objectContaining({ code: "NO_SCOPE" });

describe("a finalized app", () => {
  it("is NO_SCOPE", async () => {
    const app = await open();
    const { Thing } = newThings();
    await app.finalize();
    expect(() => Scope.current).toThrow(noScope);
    expect(() => Thing("a")).toThrow(noScope);
    expect(await rejection(engine.run("child", () => {}))).toMatchObject({ code: "NO_SCOPE" });
  });

  it("falls back to the only live app, also in what its own run had begun", async () => {
    const late = await open({}, "late");
    const scope = await late.run(async () => {
      await late.finalize();
      expect(() => Scope.current).toThrow(noScope);
      const other = await open({}, "other");
      expect(Scope.current).toBe(other);
      return other;
    });
    expect(scope.appName).toBe("other");
  });

  it("is revived by app.run with a new generation of declarations", async () => {
    const app = await open();
    const { Thing, there, calls } = newThings();
    await Promise.all([Thing("a"), Thing("b")]);
    await app.finalize();
    await app.run(async () => {
      expect(Scope.current).toBe(app);
      expect([...app.resources]).toEqual([]);
      await Thing("a");
    });
    expect([...app.resources.keys()]).toEqual(["a"]);
    await app.finalize();
    expect([...there.keys()]).toEqual(["shop/dev/a"]);
    expect(calls).toEqual(["create shop/dev/a", "create shop/dev/b", "delete shop/dev/b"]);
  });

  it("is revived once by two runs at the same time", async () => {
    const app = await open();
    const { Thing, there } = newThings();
    await app.finalize();
    await Promise.all([app.run(() => Thing("a")), app.run(() => Thing("b"))]);
    await app.finalize();
    expect([...there.keys()].sort()).toEqual(["shop/dev/a", "shop/dev/b"]);
  });

  it("that failed can be run again", async () => {
    const app = await open();
    const { Thing, there } = newThings();
    await rejection(Thing("a", { fails: "No paper." }));
    await rejection(app.finalize());
    await app.run(() => Thing("a", { text: "second" }));
    await app.finalize();
    expect([...there]).toEqual([["shop/dev/a", "second"]]);
  });

  it("that could not be revived can be once its store answers again", async () => {
    const store = memoryStore();
    let isAway = false;
    const get = (key: string) => (isAway ? Promise.reject(new Error("The disk is gone.")) : store.get(key));
    const list = (prefix: string) => (isAway ? fail() : store.list(prefix));
    const fail = (): never => {
      throw new Error("The disk is gone.");
    };
    const app = await open({ stateStore: { ...store, get, list } });
    const { Thing, there } = newThings();
    await app.finalize();
    isAway = true;
    expect(await rejection(app.run(() => Thing("a")))).toMatchObject({
      message: expect.stringContaining("The disk is gone."),
    });
    isAway = false;
    await app.run(() => Thing("a"));
    await app.finalize();
    expect([...there.keys()]).toEqual(["shop/dev/a"]);
  });

  it("shows scopes of a new generation among its children, whichever way they are entered", async () => {
    const app = await open();
    const child = await engine.run("child", (scope) => scope);
    await app.finalize();
    const { Thing } = newThings();
    await child.run(() => Thing("a"));
    expect(app.children.get("child")).toBe(child);
    expect(await app.run(() => engine.run("child", (scope) => scope))).toBe(child);
  });
});

describe("app.run inside of finalize", () => {
  it("does not wait for the finalize that it is a part of", async () => {
    const app = await open();
    const { Thing, there } = newThings();
    const made = app.defer(() => app.run(() => Thing("late")));
    await app.finalize();
    expect((await made).text).toBe("");
    expect([...there.keys()]).toEqual(["shop/dev/late"]);
  });

  it("works in a handler that deletes an orphan", async () => {
    const app = await open();
    const things = newThings();
    await things.Thing("a");
    await app.finalize();
    const names: string[] = [];
    things.inside = (_fqn, scope) => scope.run((current) => void names.push(current.fqn("a")));
    await app.run(() => {});
    await app.finalize({ empty: true });
    expect(names).toEqual(["shop/dev/a"]);
  });
});
