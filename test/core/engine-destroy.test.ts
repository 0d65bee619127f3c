import { describe, expect, it } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import { rejection, testApps } from "../helpers/apps/apps.ts";
import { newThings, type Things } from "../helpers/apps/things.ts";

const { engine, open } = testApps();

async function declareAll({ Thing }: Things): Promise<void> {
  await Thing("a");
  await engine.run("child", async () => {
    await Thing("b");
    await engine.run("inner", () => Thing("c"));
  });
}

const left = ({ there }: Things): string[] => [...there.keys()].map((fqn) => fqn.replace("shop/dev/", "")).sort();

describe("engine.destroy()", () => {
  it("without a target destroys the current scope and what is below it", async () => {
    const app = await open();
    const things = newThings();
    await declareAll(things);
    await app.children.get("child")?.run(() => engine.destroy());
    expect(left(things)).toEqual(["a"]);
    await engine.destroy();
    expect(left(things)).toEqual([]);
  });

  it("destroys a scope", async () => {
    const app = await open();
    const things = newThings();
    await declareAll(things);
    await engine.destroy(app.children.get("child") ?? {});
    expect(left(things)).toEqual(["a"]);
    await app.finalize();
    expect(left(things)).toEqual(["a"]);
  });

  it("destroys a resource by itself, also one that is still pending, and by its output", async () => {
    await open();
    const things = newThings();
    const one = things.Thing("one");
    await engine.destroy(one);
    expect(left(things)).toEqual([]);
    const two = await things.Thing("two");
    await engine.destroy(two);
    expect(left(things)).toEqual([]);
    expect(things.calls.filter((call) => call.startsWith("delete"))).toHaveLength(2);
  });

  it("lets what is gone be declared again", async () => {
    const app = await open();
    const { Thing, there } = newThings();
    await engine.destroy(await Thing("a", { text: "first" }));
    await Thing("a", { text: "second" });
    await app.finalize();
    expect([...there]).toEqual([["shop/dev/a", "second"]]);
  });

  it("refuses a value that is neither a scope nor a resource", async () => {
    await open();
    expect(await rejection(engine.destroy({ name: "shop-a-dev" }))).toMatchObject({ code: "INVALID_CALL" });
    expect(await rejection(Reflect.apply(engine.destroy, engine, ["a"]))).toMatchObject({ code: "INVALID_CALL" });
  });

  it("is READ_ONLY in the read phase", async () => {
    const stateStore = memoryStore();
    const things = newThings();
    const app = await open({ stateStore });
    await declareAll(things);
    await app.finalize();
    await open({ stateStore, phase: "read" });
    expect(await rejection(engine.destroy())).toMatchObject({ code: "READ_ONLY" });
    expect(left(things)).toEqual(["a", "child/b", "child/inner/c"]);
  });

  it("outside of any scope is NO_SCOPE", async () => {
    expect(await rejection(engine.destroy())).toMatchObject({ code: "NO_SCOPE" });
  });

  it("of a scope of an app that is not current works on that app", async () => {
    const one = await open({}, "one");
    const two = await open({}, "two");
    const { Thing, there } = newThings();
    await one.run(() => Thing("a"));
    await two.run(() => Thing("a"));
    await engine.destroy(one);
    expect([...there.keys()]).toEqual(["two/dev/a"]);
  });

  it("of a resource of an app that is not current works on that app", async () => {
    const one = await open({}, "one");
    const two = await open({}, "two");
    const { Thing, there } = newThings();
    const [[a], [b]] = [await one.run(() => [Thing("a")] as const), await two.run(() => [Thing("a")] as const)];
    await Promise.all([a, b]);
    await engine.destroy(a);
    expect([...there.keys()]).toEqual(["two/dev/a"]);
  });
});
