import { describe, expect, it, vi } from "vitest";
import { memoryStore } from "../../adapters/memory/index.js";
import type { EngineOptions, StateStore } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { createEngine } from "../../plugins/engine/index.js";
import { migrate } from "../helpers/apps/admin-tools.ts";
import { recorder, rejection, testApps } from "../helpers/apps/apps.ts";
import { newThings } from "../helpers/apps/things.ts";

const { engine, open } = testApps();

const choosing = (store: StateStore) =>
  definePlugin({ name: "chooses", apply: ({ hooks }) => hooks.stateStore.tap("chooses", () => store) });

describe.each<[way: string, start: (store: StateStore) => PromiseLike<unknown>, message: string]>([
  [
    "that is given",
    (stateStore) => open({ stateStore }),
    'Option "stateStore" must be a state store, a function that makes one, a URL, or a Keyv instance, not an object',
  ],
  [
    "that a function makes",
    (store) => open({ stateStore: () => store }),
    "The value that the stateStore function returned is not a store but an object",
  ],
  [
    "that a plugin chooses",
    (store) => createEngine({ plugins: [choosing(store)] })("shop", { stage: "dev" }),
    "The value that a plugin returned as the state store is not a store but an object",
  ],
  [
    "that a stage is to be moved to",
    (to) => migrate("shop", { stage: "dev", stateStore: memoryStore(), to }),
    "The value of stateStore is not a store but an object",
  ],
])("a store %s", (_, start, message) => {
  const methods = ["get", "getMany", "set", "deleteMany", "create", "list"] as const;

  it.each(methods)("is refused without %s, by its name and before anything is asked of it", async (missing) => {
    const store = memoryStore({ append: false });
    const asked = methods.filter((name) => name !== missing).map((name) => vi.spyOn(store, name));
    Object.assign(store, { [missing]: undefined });
    const refused = { code: "INVALID_OPTION", message: `${message} without ${missing}().` };
    expect(await rejection(start(store))).toMatchObject(refused);
    for (const method of asked) expect(method).not.toHaveBeenCalled();
  });
});

describe("a value that is not a store", () => {
  it("is refused by all that it lacks", async () => {
    const adapter = { get: () => {}, set: () => {}, delete: () => {}, opts: {} };
    const message = expect.stringContaining("not an object without getMany(), deleteMany(), create(), list().");
    const opening: unknown = Reflect.apply(engine, undefined, ["shop", { stage: "dev", stateStore: adapter }]);
    expect(await rejection(Promise.resolve(opening))).toMatchObject({ code: "INVALID_OPTION", message });
  });
});

/** A store written when each had to be a Keyv adapter. Methods that the engine does not call throw. */
class EarlierStore implements StateStore {
  readonly name = "earlier";
  readonly opts = { url: "earlier:" };
  namespace: string | undefined;
  readonly #values = new Map<string, string>();
  readonly asked: string[] = [];

  async get(key: string): Promise<string | undefined> {
    this.asked.push("get");
    return this.#values.get(key);
  }
  async getMany(keys: string[]): Promise<(string | undefined)[]> {
    this.asked.push("getMany");
    return keys.map((key) => this.#values.get(key));
  }
  async set(key: string, value: string): Promise<void> {
    this.asked.push("set");
    this.#values.set(key, value);
  }
  async deleteMany(keys: string[]): Promise<boolean> {
    this.asked.push("deleteMany");
    return keys.filter((key) => this.#values.delete(key)).length > 0;
  }
  async create(key: string, value: string): Promise<boolean> {
    this.asked.push("create");
    if (this.#values.has(key)) return false;
    this.#values.set(key, value);
    return true;
  }
  async *list(prefix: string): AsyncGenerator<string, void> {
    this.asked.push("list");
    yield* [...this.#values.keys()].filter((key) => key.startsWith(prefix));
  }
  async close(): Promise<void> {
    this.asked.push("close");
  }

  has(): Promise<boolean> {
    return this.#uncalled("has");
  }
  setMany(): Promise<void> {
    return this.#uncalled("setMany");
  }
  delete(): Promise<boolean> {
    return this.#uncalled("delete");
  }
  clear(): Promise<void> {
    return this.#uncalled("clear");
  }
  iterator(): AsyncIterable<[string, string]> {
    return { [Symbol.asyncIterator]: () => ({ next: () => this.#uncalled("iterator") }) };
  }
  async #uncalled(method: string): Promise<never> {
    this.asked.push(method);
    throw new Error(`Nothing calls ${method}.`);
  }
}

describe("a store that has the methods of a Keyv adapter besides", () => {
  it.each<[way: string, withHook: boolean]>([
    ["works", false],
    ["works where plugins see its requests", true],
  ])(
    "%s through creates, updates, a wait, a move and a destroy, and is asked for each of the seven and no more",
    async (_, withHook) => {
      const store = new EarlierStore();
      const { Thing, there } = newThings();
      const { plugin, actions } = recorder();
      const watching = definePlugin({
        name: "watching",
        apply: ({ hooks }) => hooks.storeRequest.tapPromise("watching", (_request, next) => next()),
      });
      const options = { stage: "dev", argv: [], plugins: withHook ? [plugin, watching] : [plugin] };
      const up = (stateStore: EngineOptions["stateStore"], text: string) =>
        engine.up("shop", { ...options, stateStore, lockTimeout: 60_000 }, async () => {
          await Promise.all(["a", "b", "c"].map((id) => Thing(id, { text })));
        });

      await up(store, "first");
      await Promise.all([up(store, "second"), up(store, "second")]);
      const next = new EarlierStore();
      expect(await migrate("shop", { stage: "dev", stateStore: store, to: () => next })).toMatchObject({
        resources: 3,
      });
      await up(next, "third");
      expect([...there]).toEqual(["a", "b", "c"].map((id) => [`shop/dev/${id}`, "third"]));
      await engine.up("shop", { ...options, phase: "destroy", stateStore: () => next }, () => {});
      expect([...there]).toEqual([]);
      expect(actions().filter((action) => action.endsWith("/a"))).toEqual([
        "created shop/dev/a",
        "updated shop/dev/a",
        "unchanged shop/dev/a",
        "updated shop/dev/a",
        "deleted shop/dev/a",
      ]);
      const seven = ["close", "create", "deleteMany", "get", "getMany", "list", "set"];
      expect([...new Set(next.asked)].sort()).toEqual(seven);
      // A function made the store twice: for the move, and for the destroy. The engine closes both.
      expect(next.asked.filter((method) => method === "close")).toHaveLength(2);
      // The engine does not close a store that it was given.
      expect(seven.filter((method) => method !== "close")).toEqual(expect.arrayContaining(store.asked));
    },
  );
});
