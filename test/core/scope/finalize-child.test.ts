import { describe, expect, it } from "vitest";
import type { Scope } from "../../../core/contract/index.js";
import { rejection, testApps } from "../../helpers/apps/apps.ts";
import { all, aRunBefore, declareKept, left } from "../../helpers/apps/shop.ts";
import { newThings } from "../../helpers/apps/things.ts";

const apps = testApps();
const { engine, open } = apps;

describe("finalize() of a scope that is not the root", () => {
  it("prunes nothing without force, and leaves it to the root", async () => {
    const { stateStore, things } = await aRunBefore(apps);
    const app = await open({ stateStore });
    const [one] = await declareKept(apps, things);
    await one?.finalize();
    expect(left(things)).toEqual(all);
    await app.finalize();
    expect(left(things)).toEqual(["kept", "one/kept", "two/kept"]);
  });

  it("prunes the orphans in it and below it with force, and no others", async () => {
    const { stateStore, things } = await aRunBefore(apps);
    await open({ stateStore });
    const [one] = await declareKept(apps, things);
    await one?.finalize({ force: true });
    expect(left(things)).toEqual(["dropped", "kept", "one/kept", "two/dropped", "two/kept"]);
  });

  it("prunes nothing with force and noop", async () => {
    const { stateStore, things } = await aRunBefore(apps);
    await open({ stateStore });
    const [one] = await declareKept(apps, things);
    await one?.finalize({ force: true, noop: true });
    expect(left(things)).toEqual(all);
  });

  it("leaves the app live", async () => {
    const app = await open();
    const { Thing, there } = newThings();
    await engine.run("child", (child) => child.finalize({ force: true }));
    await Thing("after");
    await app.finalize();
    expect([...there.keys()]).toEqual(["shop/dev/after"]);
  });

  it("prunes nothing with force when the scope's function has thrown", async () => {
    const { stateStore, things } = await aRunBefore(apps);
    await open({ stateStore });
    let one: Scope | undefined;
    const broken = engine.run("one", async (scope) => {
      one = scope;
      throw new Error("Half-way.");
    });
    await rejection(broken);
    expect(await rejection(one?.finalize({ force: true }) ?? broken)).toMatchObject({ name: "RunFailedError" });
    expect(left(things)).toEqual(all);
  });

  it("prunes with force although another scope has failed", async () => {
    const { stateStore, things } = await aRunBefore(apps);
    const app = await open({ stateStore });
    await rejection(engine.run("two", () => Promise.reject(new Error("Half-way."))));
    await engine.run("one", async (one) => {
      await things.Thing("kept");
      await one.finalize({ force: true });
    });
    expect(left(things)).toEqual(["dropped", "kept", "one/kept", "two/dropped", "two/kept"]);
    expect(await rejection(app.finalize())).toMatchObject({ name: "RunFailedError" });
  });

  it("is not what the end of engine.run does: a scope that ends prunes nothing by itself", async () => {
    const { stateStore, things } = await aRunBefore(apps);
    const app = await open({ stateStore });
    await engine.run("one", () => {});
    await engine.run("one", () => things.Thing("kept"));
    expect(left(things)).toEqual(all);
    await app.finalize();
    expect(left(things)).toEqual(["one/kept"]);
  });
});
