/** Outputs that are still promises when they are published, and outputs that cannot be recorded. */
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { RunFailedError } from "../../../core/base/index.js";
import type { Scope } from "../../../core/contract/index.js";
import { rejection, testApps } from "../../helpers/apps/apps.ts";
import { offered } from "../../helpers/apps/offered.ts";
import { failuresOf } from "../../helpers/apps/stage.ts";
import { newThings } from "../../helpers/apps/things.ts";
import { gate } from "../../helpers/time/gate.ts";

const { engine, open } = testApps();

async function offering(program: (app: Scope) => unknown): Promise<unknown> {
  const stateStore = memoryStore();
  const app = await open({ stateStore });
  await app.run(async () => void (await program(app)));
  await app.finalize();
  return offered(stateStore);
}

/** A handled rejection, so that it does not end the process. */
function rejected(message: string): Promise<never> {
  const promise = Promise.reject(new Error(message));
  promise.catch(() => {});
  return promise;
}

describe("outputs that hold promises", () => {
  it("are recorded with what these give, at any depth, one inside the other", async () => {
    const { Thing } = newThings();
    const value = await offering((app) => {
      const nested = Promise.resolve({ list: [Promise.resolve(1), 2] });
      return app.outputs({ plain: 0, thing: Thing("a", { text: "x" }), nested, all: [[Promise.resolve(null)]] });
    });
    expect(value).toEqual({
      plain: 0,
      thing: { name: "shop-a-dev", text: "x" },
      nested: { list: [1, 2] },
      all: [[null]],
    });
  });

  it("are waited for by finalize, as are those that a deferred function offers", async () => {
    const { Thing } = newThings();
    expect(await offering((app) => void app.outputs(Thing("a").then(({ name }) => name)))).toBe("shop-a-dev");
    expect(await offering((app) => void app.defer(() => void app.outputs(turn().then(() => "late"))))).toBe("late");
    const opened = gate();
    const value = await offering((app) => {
      void app.outputs(opened.opened.then(() => "opened"));
      setImmediate(opened.open);
    });
    expect(value).toBe("opened");
  });

  it("may hold the result of a deferred function, directly and through a resource, without a deadlock", async () => {
    const { Thing } = newThings();
    const value = await offering((app) => {
      const later = app.defer(() => "deferred");
      const slow = later.then(async (text) => `${text} ${await turn("slowly")}`);
      void app.outputs({ later, slow, thing: Thing("a", { text: later }), other: Thing("b"), soon: turn(1) });
    });
    expect(value).toEqual({
      later: "deferred",
      slow: "deferred slowly",
      thing: { name: "shop-a-dev", text: "deferred" },
      other: { name: "shop-b-dev", text: "" },
      soon: 1,
    });
  });

  it("are asked once where they begin their work only then, and in the phase read not at all", async () => {
    let asked = 0;
    const lazy: PromiseLike<string> = Object.assign(Object.create(Object.prototype), {
      // biome-ignore lint/suspicious/noThenProperty: it is a query, say, which is sent when somebody awaits it
      then(resolve: (text: string) => void) {
        asked += 1;
        setImmediate(resolve, "answer");
      },
    });
    expect(await offering((app) => void app.outputs({ lazy, later: app.defer(() => 1) }))).toEqual({
      lazy: "answer",
      later: 1,
    });
    expect(asked).toBe(1);
    const app = await open({ phase: "read" });
    await app.outputs({ lazy });
    expect(asked).toBe(1);
  });

  it("are found among many, whatever comes first", async () => {
    const { Thing } = newThings();
    const value = await offering((app) => {
      const later = app.defer(() => "later");
      const of = (index: number) => [Thing(`a${index}`, { text: later }), Thing(`b${index}`), turn(index), later];
      void app.outputs(Array.from({ length: 50 }, (_, index) => of(index)));
    });
    expect(value).toHaveLength(50);
    expect((value as unknown[][])[49]).toMatchObject([{ text: "later" }, { text: "" }, 49, "later"]);
  });

  it("that were replaced by another call do not come back when they are there at last", async () => {
    const opened = gate();
    const value = await offering(async (app) => {
      const first = app.outputs(opened.opened.then(() => "first"));
      await app.outputs("second");
      opened.open();
      await first;
    });
    expect(value).toBe("second");
  });

  it("wait neither for ever nor for others where what replaced them is awaited at once", async () => {
    const value = await offering(async (app) => {
      void app.outputs(app.defer(() => "first"));
      await app.outputs("second");
    });
    expect(value).toBe("second");
  });

  it("are recorded by a run that ends without finalize where they are there by then, and cost it nothing else", async () => {
    const { Thing } = newThings();
    const disposing = async (value: (app: Scope) => unknown): Promise<unknown> => {
      const stateStore = memoryStore();
      const app = await open({ stateStore });
      await app.run(() => void app.outputs(value(app)));
      await app[Symbol.asyncDispose]();
      return offered(stateStore);
    };
    expect(await disposing(() => Thing("a").then(({ name }) => name))).toBe("shop-a-dev");
    expect(await rejection(disposing((app) => app.defer(() => 1)))).toMatchObject({ code: "OUTPUTS_MISSING" });
  });
});

describe("outputs that fail", () => {
  const circle: Record<string, unknown> = {};
  circle.me = circle;
  const deep = Array.from({ length: 20_000 }).reduce<unknown>((inner) => ({ inner }), rejected("far down"));

  it.each<[string, () => unknown, string, string]>([
    ["a function", () => ({ list: [() => 1] }), "UNSERIALIZABLE", "Cannot record $.list[0]: it is a function"],
    ["a cycle", () => ({ circle }), "UNSERIALIZABLE", "Cannot record $.circle.me"],
    [
      "an object of a class",
      () => ({ of: { it: new (class Car {})() } }),
      "UNSERIALIZABLE",
      "$.of.it: it is an instance of Car",
    ],
    [
      "a promise in a Map",
      () => new Map([["a", Promise.resolve(1)]]),
      "UNSERIALIZABLE",
      "it is a promise. Await it first",
    ],
    [
      "a promise that rejects",
      () => ({ a: [1, rejected("no")] }),
      "INVALID_CALL",
      "the promise at $.a[1] rejected: no",
    ],
    [
      "one that rejects behind another",
      () => turn({ "a b": rejected("no") }),
      "INVALID_CALL",
      'at $["a b"] rejected: no',
    ],
    [
      "a value that goes too deep",
      () => ({ deep, a: rejected("no") }),
      "INVALID_CALL",
      "the promise at $.a rejected: no",
    ],
    [
      "a getter that throws",
      () => ({
        get bad() {
          throw new Error("not today");
        },
      }),
      "UNSERIALIZABLE",
      "Cannot record $.bad: reading it failed: not today",
    ],
  ])("with %s reject, fail the run, and leave the old ones", async (_what, value, code, message) => {
    const stateStore = memoryStore();
    const first = await open({ stateStore });
    await first.outputs("old");
    await first.finalize();
    const app = await open({ stateStore });
    const expected = { code, fqn: "shop/dev", message: expect.stringContaining(message) };
    const error = await rejection(app.outputs(value()));
    expect(error).toMatchObject(expected);
    expect(await failuresOf(app.finalize())).toEqual([error]);
    expect(await offered(stateStore)).toBe("old");
  });

  it("fail the run although they are not awaited; it then prunes nothing, and the process does not end", async () => {
    const { Thing, there } = newThings();
    const stateStore = memoryStore();
    const first = await open({ stateStore });
    await Thing("a");
    await first.finalize();
    const app = await open({ stateStore });
    void app.outputs({ bad: Symbol("x") });
    expect(await failuresOf(app.finalize())).toMatchObject([{ code: "UNSERIALIZABLE" }]);
    expect([...there.keys()]).toEqual(["shop/dev/a"]);
  });

  it("because of a resource keep its code, name it, and are not told twice", async () => {
    const { Thing } = newThings();
    const app = await open();
    const error = await rejection(app.outputs({ of: { thing: Thing("a", { fails: "no paper" }) } }));
    expect(error).toMatchObject({
      code: "HANDLER_FAILED",
      message: expect.stringMatching(/^The outputs of "shop\/dev": the promise at \$\.of\.thing rejected: .*no paper/),
    });
    const failed = await rejection(app.finalize());
    expect(failed).toBeInstanceOf(RunFailedError);
    expect((failed as RunFailedError).errors).toMatchObject([{ fqn: "shop/dev/a" }]);
  });

  it("in a handler, or beside one, harm no other declaration", async () => {
    const things = newThings();
    things.inside = async (_fqn, scope) => void (await scope.root.outputs("by a handler"));
    expect(await offering(() => engine.run("child", () => things.Thing("a")))).toBe("by a handler");
  });
});
