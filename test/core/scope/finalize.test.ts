import { describe, expect, it } from "vitest";
import type { Scope } from "../../../core/scope/scope.js";
import { memoryStore } from "../../../core/state/memory.js";
import type { StateStore } from "../../../core/state/store.js";
import { recorder, rejection, testApps } from "../../helpers/apps.ts";
import { newThings, type Things } from "../../helpers/things.ts";

const { engine, open } = testApps();

interface Before {
  readonly stateStore: StateStore;
  readonly things: Things;
}

/** A finished run that has declared resources in the root scope and in two child scopes. */
async function aRunBefore(): Promise<Before> {
  const stateStore = memoryStore();
  const things = newThings();
  const { Thing } = things;
  const app = await open({ stateStore });
  await Thing("kept");
  await Thing("dropped");
  for (const name of ["one", "two"]) {
    await engine.run(name, async () => {
      await Thing("kept");
      await Thing("dropped");
    });
  }
  await app.finalize();
  return { stateStore, things };
}

async function declareKept({ Thing }: Things): Promise<Scope[]> {
  await Thing("kept");
  const scopes: Scope[] = [];
  for (const name of ["one", "two"]) {
    await engine.run(name, async (scope) => {
      scopes.push(scope);
      await Thing("kept");
    });
  }
  return scopes;
}

const left = ({ there }: Things): string[] => [...there.keys()].map((fqn) => fqn.replace("shop/dev/", "")).sort();
const all = ["dropped", "kept", "one/dropped", "one/kept", "two/dropped", "two/kept"];

describe("finalize()", () => {
  it("of the root prunes orphans at any depth", async () => {
    const { stateStore, things } = await aRunBefore();
    const app = await open({ stateStore });
    await declareKept(things);
    expect(left(things)).toEqual(all);
    await app.finalize();
    expect(left(things)).toEqual(["kept", "one/kept", "two/kept"]);
  });

  it("prunes a child scope that is no longer entered", async () => {
    const { stateStore, things } = await aRunBefore();
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

  it("waits for a scope function that nobody awaited, whose resources would look like orphans", async () => {
    const { stateStore, things } = await aRunBefore();
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
    const one = app.run(() => engine.run("child", async () => {
      await Thing("a");
      await app.finalize();
    }));
    const two = app.run(async () => {
      await Thing("b");
      await app.finalize();
    });
    await Promise.all([one, two]);
    expect([...there.keys()].sort()).toEqual(["shop/dev/b", "shop/dev/child/a"]);
  });

  it("lets nothing be declared once it prunes", async () => {
    const stateStore = memoryStore();
    const { Thing } = newThings();
    const things = newThings();
    const app = await open({ stateStore });
    await things.Thing("a");
    await app.finalize();
    const errors: unknown[] = [];
    things.inside = async () => {
      try {
        await Thing("late");
      } catch (error) {
        errors.push(error);
      }
    };
    const next = await open({ stateStore });
    await rejection(next.finalize());
    expect(errors).toMatchObject([{ code: "NO_SCOPE", message: expect.stringContaining("comes too late") }]);
  });

  it("called twice does its work once, and gives the same end", async () => {
    const app = await open();
    const { Thing } = newThings();
    await rejection(Thing("a", { fails: "No paper." }));
    const [one, two] = [app.finalize(), app.finalize()];
    expect(await rejection(one)).toBe(await rejection(two));
  });

  it("{ noop: true } deletes nothing and keeps the records", async () => {
    const { stateStore, things } = await aRunBefore();
    const app = await open({ stateStore });
    await app.finalize({ noop: true });
    expect(left(things)).toEqual(all);
    const next = await open({ stateStore });
    expect(await next.has("dropped")).toBe(true);
    await next.finalize();
    expect(left(things)).toEqual([]);
  });

  it("{ noop: true } in the phase destroy still says what it left", async () => {
    const { stateStore, things } = await aRunBefore();
    const app = await open({ stateStore, phase: "read" });
    await app.finalize({ noop: true });
    expect(left(things)).toEqual(all);
  });

  it("with destroyOrphans: false prunes nothing and says what it left", async () => {
    const { stateStore, things } = await aRunBefore();
    const heard = recorder();
    const app = await open({ stateStore, destroyOrphans: false, plugins: [heard.plugin] });
    await declareKept(things);
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
    const { stateStore, things } = await aRunBefore();
    const app = await open({ stateStore });
    await things.Thing("kept");
    await engine.run("one", { destroyOrphans: false }, () => things.Thing("kept"));
    await engine.run("two", () => things.Thing("kept"));
    await app.finalize();
    expect(left(things)).toEqual(["dropped", "kept", "one/dropped", "one/kept", "two/kept"]);
  });

  it("of a failed run prunes nothing and is RUN_FAILED with every error", async () => {
    const { stateStore, things } = await aRunBefore();
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
    const { stateStore, things } = await aRunBefore();
    const app = await open({ stateStore });
    await declareKept(things);
    expect(() => Reflect.apply(things.Thing, undefined, ["dropped", {}, { protct: true }])).toThrow("protct");
    expect(await rejection(app.finalize())).toMatchObject({ code: "RUN_FAILED", errors: [{ code: "INVALID_OPTION" }] });
    expect(left(things)).toEqual(all);
  });

  it("of a run whose engine.run was refused prunes nothing", async () => {
    const { stateStore, things } = await aRunBefore();
    const app = await open({ stateStore });
    await rejection(engine.run("one/two", () => {}));
    expect(await rejection(app.finalize())).toMatchObject({ code: "RUN_FAILED", errors: [{ code: "INVALID_NAME" }] });
    expect(left(things)).toEqual(all);
  });
});

describe("finalize() of a scope that is not the root", () => {
  it("prunes nothing without force, and leaves it to the root", async () => {
    const { stateStore, things } = await aRunBefore();
    const app = await open({ stateStore });
    const [one] = await declareKept(things);
    await one?.finalize();
    expect(left(things)).toEqual(all);
    await app.finalize();
    expect(left(things)).toEqual(["kept", "one/kept", "two/kept"]);
  });

  it("prunes the orphans in it and below it with force, and no others", async () => {
    const { stateStore, things } = await aRunBefore();
    await open({ stateStore });
    const [one] = await declareKept(things);
    await one?.finalize({ force: true });
    expect(left(things)).toEqual(["dropped", "kept", "one/kept", "two/dropped", "two/kept"]);
  });

  it("prunes nothing with force and noop", async () => {
    const { stateStore, things } = await aRunBefore();
    await open({ stateStore });
    const [one] = await declareKept(things);
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
    const { stateStore, things } = await aRunBefore();
    await open({ stateStore });
    let one: Scope | undefined;
    const broken = engine.run("one", async (scope) => {
      one = scope;
      throw new Error("Half-way.");
    });
    await rejection(broken);
    expect(await rejection(one?.finalize({ force: true }) ?? broken)).toMatchObject({ code: "RUN_FAILED" });
    expect(left(things)).toEqual(all);
  });

  it("prunes with force although another scope has failed", async () => {
    const { stateStore, things } = await aRunBefore();
    const app = await open({ stateStore });
    await rejection(engine.run("two", () => Promise.reject(new Error("Half-way."))));
    await engine.run("one", async (one) => {
      await things.Thing("kept");
      await one.finalize({ force: true });
    });
    expect(left(things)).toEqual(["dropped", "kept", "one/kept", "two/dropped", "two/kept"]);
    expect(await rejection(app.finalize())).toMatchObject({ code: "RUN_FAILED" });
  });

  it("is not what the end of engine.run does: a scope that ends prunes nothing by itself", async () => {
    const { stateStore, things } = await aRunBefore();
    const app = await open({ stateStore });
    await engine.run("one", () => {});
    await engine.run("one", () => things.Thing("kept"));
    expect(left(things)).toEqual(all);
    await app.finalize();
    expect(left(things)).toEqual(["one/kept"]);
  });
});
