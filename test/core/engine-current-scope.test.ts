import { describe, expect, it } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import { Scope } from "../../core/contract/index.js";
import { createEngine } from "../../plugins/engine/index.js";
import { rejection, testApps } from "../helpers/apps/apps.ts";
import { newThings } from "../helpers/apps/things.ts";

const { engine, open } = testApps();
const noScope = expect.objectContaining({ code: "NO_SCOPE" });
const ambiguous = expect.objectContaining({ code: "AMBIGUOUS_SCOPE" });

/** Like a program that loads its configuration first. */
async function openAfterAwait(name: string): Promise<Scope> {
  await Promise.resolve();
  return open({}, name);
}

describe("Scope.current", () => {
  it("throws NO_SCOPE outside of any scope", () => {
    expect(() => Scope.current).toThrow(noScope);
    expect(() => Scope.root).toThrow(noScope);
  });

  it("makes declaring a resource outside of any scope NO_SCOPE", () => {
    const { Thing } = newThings();
    expect(() => Thing("a")).toThrow(noScope);
  });

  it("is the app after await engine()", async () => {
    const app = await open();
    expect(Scope.current).toBe(app);
    await new Promise((resolve) => setImmediate(resolve));
    expect(Scope.current).toBe(app);
  });

  it("is the app where a helper had awaited something before it called engine()", async () => {
    const app = await openAfterAwait("helped");
    expect(Scope.current).toBe(app);
  });

  it("is the app in code that began before engine() was called", async () => {
    const elsewhere = Promise.resolve()
      .then(() => new Promise((resolve) => setImmediate(resolve)))
      .then(() => Scope.current);
    const app = await open();
    expect(await elsewhere).toBe(app);
  });

  it("is the scope of run inside of it, also after awaiting, and the one before behind it", async () => {
    const app = await open();
    await engine.run("child", async (child) => {
      expect(Scope.current).toBe(child);
      await new Promise((resolve) => setImmediate(resolve));
      expect(Scope.current).toBe(child);
    });
    expect(Scope.current).toBe(app);
  });

  it("is the right one in scopes that run at the same time", async () => {
    await open();
    const seen = await Promise.all(
      ["a", "b", "c"].map((name) =>
        engine.run(name, async () => {
          await new Promise((resolve) => setImmediate(resolve));
          return Scope.current.name;
        }),
      ),
    );
    expect(seen).toEqual(["a", "b", "c"]);
  });

  it("is the scope where deferred functions were deferred", async () => {
    const app = await open();
    const deferred = engine.run("child", (child) => [child.defer(() => Scope.current.name)]);
    const [name] = await deferred;
    await app.finalize();
    expect(await name).toBe("child");
  });
});

describe("Scope.root", () => {
  it("is the root scope of the current application, however deep", async () => {
    const app = await open();
    await engine.run("a", () => engine.run("b", () => expect(Scope.root).toBe(app)));
  });
});

describe("with two live apps", () => {
  it("an entered scope is AMBIGUOUS_SCOPE, naming both apps", async () => {
    await open({}, "one");
    await open({}, "two");
    expect(() => Scope.current).toThrow(ambiguous);
    expect(() => Scope.current).toThrow('"one/dev", "two/dev"');
  });

  it("app.run says which one is meant, and so does what runs inside of it", async () => {
    const one = await open({}, "one");
    const two = await open({}, "two");
    const { Thing, there } = newThings();
    await one.run(() => Thing("a"));
    await two.run(async (app) => {
      expect(Scope.current).toBe(app);
      await engine.run("child", () => Thing("b"));
    });
    expect([...there.keys()]).toEqual(["one/dev/a", "two/dev/child/b"]);
  });

  it("the one that is left is meant when the other is finalized", async () => {
    const one = await open({}, "one");
    const two = await open({}, "two");
    await two.finalize();
    expect(Scope.current).toBe(one);
  });

  it("the same app on two stages does not mix them up", async () => {
    const store = memoryStore();
    const dev = await open({ stage: "dev", stateStore: store });
    const prod = await open({ stage: "prod", stateStore: store });
    const { Thing, there } = newThings();
    await Promise.all([dev.run(() => Thing("a")), prod.run(() => Thing("a"))]);
    expect([...there.keys()].sort()).toEqual(["shop/dev/a", "shop/prod/a"]);
  });
});

describe("app.run", () => {
  it("resolves with the result of its function", async () => {
    const app = await open();
    expect(await app.run(async (scope) => scope.stage)).toBe("dev");
    expect(await app.run(() => 7)).toBe(7);
  });

  it("that rejects fails the run: nothing is pruned", async () => {
    const store = memoryStore();
    const { Thing, there } = newThings();
    const first = await open({ stateStore: store });
    await Thing("a");
    await first.finalize();
    const second = await open({ stateStore: store });
    const error = new Error("Half-way.");
    expect(await rejection(second.run(() => Promise.reject(error)))).toBe(error);
    expect(await rejection(second.finalize())).toMatchObject({ name: "RunFailedError", errors: [error] });
    expect([...there.keys()]).toEqual(["shop/dev/a"]);
  });

  it("works on an app whose engine() has not resolved yet", async () => {
    const opened = createEngine()("shop", { stateStore: memoryStore() });
    const { Thing } = newThings();
    const made = Scope.current.run(() => Thing("a"));
    expect((await made).text).toBe("");
    await (await opened).finalize();
  });
});
