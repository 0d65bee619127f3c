import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../core/state/memory.js";
import { type Growing, isGrowing, type StateStore } from "../../../core/state/store.js";
import { collect } from "../../../core/testing/store-case.js";
import { type StoreSuiteOptions, testStateStore } from "../../../core/testing/store-suite.js";

type Store = StateStore & Growing;

function whole(): Store {
  const store = memoryStore();
  if (!isGrowing(store)) throw new Error("The memory store grows.");
  return store;
}

/** Topics in which a store fails the suite. */
async function failingTopics(make: () => StateStore, options: StoreSuiteOptions): Promise<string[]> {
  const tests: { readonly topic: string; readonly body: () => Promise<void> }[] = [];
  let topic = "";
  const runner = {
    describe: (title: string, body: () => void) => {
      topic = title;
      body();
    },
    it: (_: string, body: () => Promise<void>) => tests.push({ topic, body }),
  };
  testStateStore(runner, async () => ({ store: make() }), { largest: 10_000, ...options });
  const failed = new Set<string>();
  for (const test of tests) await test.body().catch(() => failed.add(test.topic));
  return [...failed];
}

/** Each breaks one promise of a sound store. */
const breaches: Readonly<
  Record<string, { readonly topic: string; readonly breach: (store: Store) => Partial<Store> }>
> = {
  "answers absence with null-like text": {
    topic: "one value",
    breach: ({ get }) => ({ get: async (key) => (await get(key)) ?? "" }),
  },
  "always says that it deleted": {
    topic: "one value",
    breach: (store) => ({ delete: async (key) => (await store.deleteMany([key])) || true }),
  },
  "trims values": { topic: "any text", breach: ({ set }) => ({ set: (key, value) => set(key, value.trim()) }) },
  "takes the empty string for absence": {
    topic: "any text",
    breach: ({ get }) => ({ get: async (key) => (await get(key)) || undefined }),
  },
  "folds upper and lower case of keys": {
    topic: "keys of the engine",
    breach: ({ create }) => ({ create: (key, value) => create(key.toLowerCase(), value) }),
  },
  "normalises paths": {
    topic: "every other key",
    breach: ({ create }) => ({ create: (key, value) => create(key.replace("//", "/"), value) }),
  },
  "leaves the absent out of many": {
    topic: "many at once",
    breach: ({ getMany }) => ({
      getMany: async (keys) => (await getMany(keys)).filter((value) => value !== undefined),
    }),
  },
  "lists by the first segment": {
    topic: "list",
    breach: ({ list }) => ({ list: (prefix) => list(prefix.split("/")[0] ?? "") }),
  },
  "shows a folder bit by bit": {
    topic: "list",
    breach: ({ list }) => ({
      async *list(prefix) {
        const [first] = await collect(list(prefix));
        for (let turn = 0; turn < 20; turn++) await Promise.resolve();
        if (first !== undefined) yield first;
        for (const key of await collect(list(prefix))) if (key !== first) yield key;
      },
    }),
  },
  "iterates over other namespaces": {
    topic: "iterator",
    breach: ({ iterator }) => ({ iterator: () => iterator() }),
  },
  "clears other namespaces": {
    topic: "clear",
    breach: (store) => ({ clear: async () => void (await store.deleteMany(await collect(store.list("")))) }),
  },
  "looks before it creates": {
    topic: "create",
    breach: ({ has, set }) => ({
      create: async (key, value) => {
        const free = !(await has(key));
        if (free) await set(key, value);
        return free;
      },
    }),
  },
  "ignores the condition of create": {
    topic: "create",
    breach: ({ set }) => ({ create: (key, value) => set(key, value).then(() => true) }),
  },
  "takes an identical value for its own lost reply": {
    topic: "create",
    breach: ({ create, get }) => ({
      create: async (key, value) => (await create(key, value)) || (await get(key)) === value,
    }),
  },
  "makes keys by appending": {
    topic: "append",
    breach: ({ append, create }) => ({
      append: async (key, chunk, fence) => (await create(key, chunk)) || append(key, chunk, fence),
    }),
  },
  "does not look for the fence": {
    topic: "append",
    breach: ({ append }) => ({ append: (key, chunk) => append(key, chunk, "none") }),
  },
  "appends by reading and writing": {
    topic: "append",
    breach: ({ get, set, has }) => ({
      append: async (key, chunk, fence) => {
        const value = await get(key);
        if (value === undefined) return false;
        await set(key, value + chunk);
        return !(await has(fence));
      },
    }),
  },
};

describe("testStateStore", () => {
  it("lets a sound store pass", async () => {
    expect(await failingTopics(whole, { grows: true })).toEqual([]);
  });

  it.each(Object.entries(breaches))("finds a store out that %s", async (_, { topic, breach }) => {
    const broken = () => {
      const store = whole();
      return Object.assign(store, breach({ ...store }));
    };
    expect(await failingTopics(broken, { grows: true })).toContain(topic);
  });

  it("finds a store out that has append and should not, and one that lacks it", async () => {
    expect(await failingTopics(whole, { grows: false })).toEqual(["append"]);
    expect(await failingTopics(() => memoryStore({ append: false }), { grows: true })).toEqual(["append"]);
  });
});
