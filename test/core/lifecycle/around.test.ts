/** Hooks that wrap handlers and store requests. */
import { AsyncLocalStorage } from "node:async_hooks";
import { describe, expect, test } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { tapUntyped } from "../../helpers/apps/open-hook.ts";
import { observed } from "../../helpers/stores/observed-store.js";
import { type Tap, tappedWorld } from "./tapped.js";

const setUp = (tap: Tap, stateStore: StateStore = memoryStore()) => tappedWorld([tap], { read: true }, { stateStore });

/** Logs the begin and the end of each handler call. */
function noting() {
  const noted: string[] = [];
  const { world, Thing, stage } = setUp(({ handler }) =>
    handler.tapPromise("p0", async ({ phase, id, attempt }, next) => {
      noted.push(`${phase} ${id} ${attempt}`);
      try {
        const output = await next();
        noted.push(`end ${id}`);
        return output;
      } catch (error) {
        noted.push(`failed ${id}: ${error instanceof Error ? error.message : error}`);
        throw error;
      }
    }),
  );
  return { world, Thing, stage, news: () => noted.splice(0) };
}

describe("the hook handler", () => {
  test("is around every call, also of a child, a read and a delete, and the output is recorded as it was", async () => {
    const { world, Thing, stage, news } = noting();
    world.on("create a", async () => void (await Thing("child")));
    await stage.up(() => Thing("a", { value: 1 }));
    expect(news()).toEqual(["create a 1", "create child 1", "end child", "end a"]);
    expect(stage.record("a")?.output).toMatchObject({ value: 1 });
    await stage.up(() => Thing("a", { value: 1 }), { refresh: true });
    expect(news().filter((one) => one.startsWith("read"))).toEqual(["read a 0", "read child 0"]);
    await stage.up();
    expect(news()).toEqual(["delete child 1", "end child", "delete a 1", "end a"]);
  });

  test("hears what a handler throws, and a repeated attempt by its number", async () => {
    const { world, Thing, stage, news } = noting();
    world.fails("create a", "no disk");
    await stage.failures(() => Thing("a"));
    expect(news()).toEqual(["create a 1", "failed a: no disk"]);
    world.on("create a", () => {});
    await stage.up(() => Thing("a"));
    expect(news()).toContain("create a 2");
  });

  test.each([true, false])(
    "takes an update that asks to be replaced for one that ends well (delete first: %s)",
    async (first) => {
      const { world, Thing, stage, news } = noting();
      await stage.up(() => Thing("a", { value: 1 }));
      news();
      world.on("update a", (context) => Reflect.apply(Reflect.get(context, "replace"), context, [first]));
      await stage.up(() => Thing("a", { value: 2 }));
      expect(news().slice(0, 2)).toEqual(["update a 1", "end a"]);
      expect(world.names).toEqual(["a#2"]);
    },
  );

  test("a tap that throws fails the resource, and its handler is not called", async () => {
    const { stage, Thing, world } = setUp(({ handler }) =>
      handler.tapPromise("p0", () => Promise.reject(new Error("no span"))),
    );
    expect(await stage.failures(() => Thing("a"))).toMatchObject([
      { code: "HANDLER_FAILED", fqn: "app/dev/a", message: 'create of "app/dev/a" failed: no span' },
    ]);
    expect(world.calls).toEqual([]);
  });

  test("what a tap has for asynchronous context, the handler has, and what it declares", async () => {
    const storage = new AsyncLocalStorage<string>();
    const seen: string[] = [];
    const { stage, Thing, world } = setUp(({ handler }) =>
      handler.tapPromise("p0", ({ id }, next) => storage.run([storage.getStore() ?? "run", id].join(" > "), next)),
    );
    world.on("create a", async () => void (await Thing("child")));
    world.on("create child", () => void seen.push(storage.getStore() ?? "nothing"));
    await stage.up(() => Thing("a"));
    expect(seen).toEqual(["run > a > child"]);
  });

  test.each<[string, (context: unknown, next: () => Promise<unknown>) => unknown, string[], string]>([
    ["calls next twice", async (_, next) => [await next(), await next()][0], ["create a"], "it called next() twice"],
    ["does not call next", async () => ({}), [], "it did not call next()"],
    ["returns nothing", () => undefined, [], "it did not call next()"],
    ["does not wait for next", (_, next) => void next(), ["create a"], "it did not wait for the promise of next()"],
  ])("a tap that %s fails the resource, by the name of its plugin", async (_, tap, calls, why) => {
    const { stage, Thing, world } = setUp(({ handler }) => tapUntyped(handler, "tapPromise", "p0", tap));
    const message = expect.stringContaining(`Plugin "p0" failed in hook "handler": ${why}`);
    expect(await stage.failures(() => Thing("a"))).toMatchObject([
      { code: "PLUGIN_FAILED", fqn: "app/dev/a", message },
    ]);
    expect(world.calls).toEqual(calls);
  });
});

describe("the hook storeRequest", () => {
  test.each([true, false])("is around every request of a run, and changes none (growing store: %s)", async (append) => {
    const through: string[] = [];
    const { store, requests } = observed(memoryStore({ append }));
    const { Thing, stage, world } = setUp(
      ({ storeRequest }) =>
        storeRequest.tapPromise("p0", (context, next) => {
          through.push(context.operation);
          expect(context.store).toBe(store.name);
          return next();
        }),
      store,
    );
    for (const value of [1, 2]) await stage.up(() => Thing("a", { value }));
    await stage.up();
    expect(world.calls).toEqual(["create a", "update a", "delete a"]);
    expect(through.length).toBe(requests.all.length);
    expect(through).toContain("create");
    expect(through.includes("append")).toBe(append);
  });

  test("what it throws is what the store threw, for the run", async () => {
    const { Thing, stage } = setUp(({ storeRequest }) =>
      storeRequest.tapPromise("p0", ({ operation }, next) =>
        operation === "list" ? Promise.reject(new Error("no network")) : next(),
      ),
    );
    await expect(stage.up(() => Thing("a"))).rejects.toThrow("no network");
  });
});
