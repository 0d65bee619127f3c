import { deepEqual, equal, ok } from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import type { StateStore } from "../state/store.js";
import { collect, listed, numbers, type StoreCase } from "./store-case.js";

/** So many keys are there at any moment, or one more. */
const KEPT = 5;

async function fill(store: StateStore, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await store.set(key, `value of ${key}`);
}

export const listCases: readonly StoreCase[] = [
  {
    title: "lists nothing in an empty store",
    async run({ store }) {
      deepEqual(await listed(store, ""), []);
      deepEqual(await listed(store, "app/dev/"), []);
    },
  },
  {
    title: "lists every key, however deep, for the empty prefix",
    async run({ store }) {
      await fill(store, "a", "b/c", "b/d/e/f/g/h");
      deepEqual(await listed(store, ""), ["a", "b/c", "b/d/e/f/g/h"]);
    },
  },
  {
    title: "lists what is below a prefix, and nothing beside it",
    async run({ store }) {
      await fill(store, "app/dev/journal/1", "app/dev/journal/2", "app/dev/lease/1", "app/prod/journal/1");
      deepEqual(await listed(store, "app/dev/journal/"), ["app/dev/journal/1", "app/dev/journal/2"]);
    },
  },
  {
    title: "tells apart names of which one begins with the other",
    async run({ store }) {
      await fill(store, "a/b", "a/b/1", "a/bc", "a/bc/1", "ab/b/1");
      deepEqual(await listed(store, "a/b/"), ["a/b/1"]);
      deepEqual(await listed(store, "a/bc/"), ["a/bc/1"]);
      deepEqual(await listed(store, "a/"), ["a/b", "a/b/1", "a/bc", "a/bc/1"]);
    },
  },
  {
    title: "takes a prefix that ends in the middle of a name",
    async run({ store }) {
      await fill(store, "a/b", "a/b/1", "a/bc", "a/bc/1", "a/c", "ab");
      deepEqual(await listed(store, "a/b"), ["a/b", "a/b/1", "a/bc", "a/bc/1"]);
      deepEqual(await listed(store, "a"), ["a/b", "a/b/1", "a/bc", "a/bc/1", "a/c", "ab"]);
    },
  },
  {
    title: "lists a key that equals the prefix, and none that is shorter",
    async run({ store }) {
      await fill(store, "app/dev/key", "app/dev");
      deepEqual(await listed(store, "app/dev/key"), ["app/dev/key"]);
      deepEqual(await listed(store, "app/dev/key/"), []);
      deepEqual(await listed(store, "app/dev/keys"), []);
    },
  },
  {
    title: "lists created keys, and a key that was set twice once",
    async run({ store }) {
      await store.create("app/dev/created", "1");
      await store.set("app/dev/set", "1");
      await store.set("app/dev/set", "2");
      deepEqual(await listed(store, "app/"), ["app/dev/created", "app/dev/set"]);
    },
  },
  {
    title: "lists no deleted key",
    async run({ store }) {
      await fill(store, "app/dev/a", "app/dev/b");
      await store.delete("app/dev/a");
      deepEqual(await listed(store, "app/"), ["app/dev/b"]);
    },
  },
  {
    title: "lists many keys, each once",
    async run({ store, many }) {
      const keys = numbers(many).map((number) => `app/dev/journal/${String(number).padStart(12, "0")}`);
      await store.setMany(keys.map((key) => ({ key, value: "" })));
      deepEqual(await listed(store, "app/dev/journal/"), keys);
    },
  },
  {
    title: "goes on listing while keys come and go",
    async run({ store, another }) {
      const keys = numbers(100).map((number) => `app/dev/${number % 10}/${number}`);
      await store.setMany(keys.map((key) => ({ key, value: "" })));
      await store.set("app/dev/stays", "");
      const [names] = await Promise.all([listed(await another(), "app/"), store.deleteMany(keys)]);
      equal(names.includes("app/dev/stays"), true);
    },
  },
  {
    title: "shows a folder as of one moment, while each new key is followed by the end of an old one",
    async run({ store, another }) {
      const keyOf = (number: number): string => `app/dev/checkpoint/${String(number).padStart(12, "0")}`;
      const numberOf = (key: string): number => Number(key.slice(-12));
      const reader = await another();
      for (const number of numbers(KEPT)) await store.create(keyOf(number), "");
      let newest = KEPT - 1;
      let isOver = false;
      const write = async (): Promise<void> => {
        while (newest < KEPT + 100) {
          await store.create(keyOf(newest + 1), "", { sync: false });
          newest += 1;
          await store.delete(keyOf(newest - KEPT));
        }
      };
      const writing = write().finally(() => {
        isOver = true;
      });
      try {
        while (!isOver) {
          const before = newest;
          const seen = (await listed(reader, "app/dev/checkpoint/")).map(numberOf);
          const first = seen[0] ?? 0;
          deepEqual(
            seen,
            numbers(seen.length === KEPT ? KEPT : KEPT + 1).map((index) => first + index),
          );
          ok(first + seen.length > before, `${before} was there before the call, and is missing`);
          // Reads out of memory would keep a writer that waits for a timer or the disk from ever going on.
          if (newest === before) await setImmediate();
        }
      } finally {
        await writing;
      }
    },
  },
];

export const iteratorCases: readonly StoreCase[] = [
  {
    title: "iterates over nothing in an empty store",
    async run({ store }) {
      deepEqual(await collect(store.iterator()), []);
    },
  },
  {
    title: "iterates over all keys with their values",
    async run({ store }) {
      await store.set("app/dev/a", "1");
      await store.set("app/dev/b", "");
      const pairs = new Map(await collect(store.iterator()));
      deepEqual(
        pairs,
        new Map([
          ["app/dev/a", "1"],
          ["app/dev/b", ""],
        ]),
      );
    },
  },
  {
    title: "iterates over one namespace, under the keys that Keyv gave",
    async run({ store }) {
      await fill(store, "one:a", "one:b/c", "oneself:a", "two:a", "one");
      const pairs = await collect(store.iterator("one"));
      deepEqual(pairs.map(([key]) => key).sort(), ["one:a", "one:b/c"]);
    },
  },
];

export const clearCases: readonly StoreCase[] = [
  {
    title: "clears everything, and takes new values",
    async run({ store }) {
      await fill(store, "a", "b/c", "b/d/e");
      equal(await store.clear(), undefined);
      deepEqual(await listed(store, ""), []);
      equal(await store.get("b/c"), undefined);
      equal(await store.create("b/c", "new"), true);
    },
  },
  {
    title: "clears an empty store",
    async run({ store }) {
      await store.clear();
      deepEqual(await listed(store, ""), []);
    },
  },
  {
    title: "clears its namespace alone, where it has one",
    async run({ store }) {
      await fill(store, "one:a", "one:b/c", "oneself:a", "two:a", "one");
      store.namespace = "one";
      await store.clear();
      store.namespace = undefined;
      deepEqual(await listed(store, ""), ["one", "oneself:a", "two:a"]);
    },
  },
];
