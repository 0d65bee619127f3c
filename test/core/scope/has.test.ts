import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { rejection, testApps } from "../../helpers/apps/apps.ts";
import { newThings } from "../../helpers/apps/things.ts";

const { engine, open } = testApps();

describe("scope.has(id, type?)", () => {
  it("tells what is recorded in the scope, and whether it is of a type", async () => {
    const stateStore = memoryStore();
    const { Thing } = newThings();
    const app = await open({ stateStore });
    await Thing("a");
    await engine.run("child", () => Thing("b"));
    await app.finalize();
    const next = await open({ stateStore });
    expect(await next.has("a")).toBe(true);
    expect(await next.has("a", Thing.kind)).toBe(true);
    expect(await next.has("a", "test:Other")).toBe(false);
    expect(await next.has("b")).toBe(false);
    expect(await engine.run("child", (child) => child.has("b"))).toBe(true);
    expect(await engine.run("child", (child) => child.has("a"))).toBe(false);
  });

  it("is false for a resource that was never made", async () => {
    const app = await open();
    const { Thing } = newThings();
    await rejection(Thing("a", { fails: "No paper." }));
    expect(await app.has("a")).toBe(false);
  });

  it("is false for what was destroyed", async () => {
    const app = await open();
    const { Thing } = newThings();
    const thing = Thing("a");
    await thing;
    await engine.destroy(thing);
    expect(await app.has("a")).toBe(false);
  });

  it.each([["a/b"], [""], [".."]])("refuses %j, which is not an id", async (id) => {
    expect(await rejection((await open()).has(id))).toMatchObject({ code: "INVALID_NAME" });
  });
});
