import { describe, expect, it } from "vitest";
import { recorder, rejection, testApps } from "../../helpers/apps/apps.ts";
import { all, aRunBefore, declareKept, left } from "../../helpers/apps/shop.ts";
import { newThings } from "../../helpers/apps/things.ts";

const apps = testApps();
const { engine, open } = apps;

describe("finalize()", () => {
  it("of the root prunes orphans at any depth", async () => {
    const { stateStore, things } = await aRunBefore(apps);
    const app = await open({ stateStore });
    await declareKept(apps, things);
    expect(left(things)).toEqual(all);
    await app.finalize();
    expect(left(things)).toEqual(["kept", "one/kept", "two/kept"]);
  });

  it("prunes a child scope that is no longer entered", async () => {
    const { stateStore, things } = await aRunBefore(apps);
    const app = await open({ stateStore });
    await things.Thing("kept");
    await app.finalize();
    expect(left(things)).toEqual(["kept"]);
  });

  it("awaits what was declared and not awaited", async () => {
    const app = await open();
    const { Thing, there } = newThings();
    void Thing("a");
    void engine.run("child", () => void Thing("b"));
    await app.finalize();
    expect([...there.keys()]).toEqual(["shop/dev/a", "shop/dev/child/b"]);
  });

  it("waits for a scope function that was not awaited, whose resources would look like orphans", async () => {
    const { stateStore, things } = await aRunBefore(apps);
    const heard = recorder();
    const app = await open({ stateStore, plugins: [heard.plugin] });
    void engine.run("one", async () => {
      await new Promise((resolve) => setImmediate(resolve));
      await things.Thing("kept");
      await things.Thing("dropped");
    });
    void app.run(() => things.Thing("kept"));
    await app.finalize();
    expect(left(things)).toEqual(["kept", "one/dropped", "one/kept"]);
    expect(heard.warnings()).toEqual(["UNAWAITED_SCOPE", "UNAWAITED_SCOPE"]);
  });

  it("called inside of app.run does not wait for the function that it is called in", async () => {
    const app = await open();
    const { Thing, there } = newThings();
    const one = app.run(() =>
      engine.run("child", async () => {
        await Thing("a");
        await app.finalize();
      }),
    );
    const two = app.run(async () => {
      await Thing("b");
      await app.finalize();
    });
    await Promise.all([one, two]);
    expect([...there.keys()].sort()).toEqual(["shop/dev/b", "shop/dev/child/a"]);
  });

  it("lets nothing be declared once it prunes", async () => {
    const { stateStore, things } = await aRunBefore(apps);
    const app = await open({ stateStore });
    let late: unknown;
    app.hooks.beforePrune.tap("test", () => {
      try {
        void things.Thing("late");
      } catch (error) {
        late = error;
      }
    });
    expect(await rejection(app.finalize())).toMatchObject({ name: "RunFailedError" });
    expect(late).toMatchObject({ code: "NO_SCOPE", message: expect.stringContaining("comes too late") });
    expect(left(things)).toEqual([]);
  });

  it("called twice does its work once, and gives the same end", async () => {
    const app = await open();
    const { Thing } = newThings();
    await rejection(Thing("a", { fails: "No paper." }));
    const [one, two] = [app.finalize(), app.finalize()];
    expect(await rejection(one)).toBe(await rejection(two));
  });

  it("{ noop: true } deletes nothing and keeps the records", async () => {
    const { stateStore, things } = await aRunBefore(apps);
    const app = await open({ stateStore });
    await app.finalize({ noop: true });
    expect(left(things)).toEqual(all);
    const next = await open({ stateStore });
    expect(await next.has("dropped")).toBe(true);
    await next.finalize();
    expect(left(things)).toEqual([]);
  });

  it("in the phase read prunes nothing", async () => {
    const { stateStore, things } = await aRunBefore(apps);
    const app = await open({ stateStore, phase: "read" });
    await app.finalize();
    expect(left(things)).toEqual(all);
  });

  it("with destroyOrphans: false prunes nothing and says what it left", async () => {
    const { stateStore, things } = await aRunBefore(apps);
    const heard = recorder();
    const app = await open({ stateStore, destroyOrphans: false, plugins: [heard.plugin] });
    await declareKept(apps, things);
    await app.finalize();
    expect(left(things)).toEqual(all);
    expect(heard.actions().filter((action) => action.startsWith("retained"))).toEqual([
      "retained shop/dev/dropped",
      "retained shop/dev/one/dropped",
      "retained shop/dev/two/dropped",
    ]);
    expect(heard.events.at(-1)).toMatchObject({ type: "run:finished", ok: true, summary: { retained: 3, deleted: 0 } });
  });

  it("with destroyOrphans: false in one scope prunes what stands on nothing of that scope", async () => {
    const { stateStore, things } = await aRunBefore(apps);
    const app = await open({ stateStore });
    await things.Thing("kept");
    await engine.run("one", { destroyOrphans: false }, () => things.Thing("kept"));
    await engine.run("two", () => things.Thing("kept"));
    await app.finalize();
    expect(left(things)).toEqual(["dropped", "kept", "one/dropped", "one/kept", "two/kept"]);
  });

  it("of a failed run prunes nothing and is RUN_FAILED with every error", async () => {
    const { stateStore, things } = await aRunBefore(apps);
    const app = await open({ stateStore });
    await rejection(things.Thing("new", { fails: "No paper." }));
    await rejection(engine.run("one", () => things.Thing("new", { fails: "No ink." })));
    expect(await rejection(app.finalize())).toMatchObject({
      code: "RUN_FAILED",
      errors: [{ fqn: "shop/dev/new" }, { fqn: "shop/dev/one/new" }],
    });
    expect(left(things)).toEqual(all);
  });

  it("of a run in which a declaration was refused prunes nothing, though the program caught it", async () => {
    const { stateStore, things } = await aRunBefore(apps);
    const app = await open({ stateStore });
    await declareKept(apps, things);
    expect(() => Reflect.apply(things.Thing, undefined, ["dropped", {}, { protct: true }])).toThrow("protct");
    expect(await rejection(app.finalize())).toMatchObject({
      name: "RunFailedError",
      errors: [{ code: "INVALID_OPTION" }],
    });
    expect(left(things)).toEqual(all);
  });

  it("of a run whose engine.run was refused prunes nothing", async () => {
    const { stateStore, things } = await aRunBefore(apps);
    const app = await open({ stateStore });
    await rejection(engine.run("one/two", () => {}));
    expect(await rejection(app.finalize())).toMatchObject({
      name: "RunFailedError",
      errors: [{ code: "INVALID_NAME" }],
    });
    expect(left(things)).toEqual(all);
  });
});
