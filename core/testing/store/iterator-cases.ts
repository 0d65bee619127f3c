import { deepEqual, equal } from "node:assert/strict";
import { collect, fill, listed, type StoreCase } from "./case.js";

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
    title: "iterates over a namespace as it is spelled, which is no pattern",
    async run({ store }) {
      await fill(store, "a_b:1", "axb:2", "a%:3", "a_b%:4");
      for (const [namespace, key] of Object.entries({ a_b: "a_b:1", "a%": "a%:3" })) {
        deepEqual(await collect(store.iterator(namespace)), [[key, `value of ${key}`]]);
      }
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
    title: "clears a namespace as it is spelled, which is no pattern",
    async run({ store }) {
      await fill(store, "a_b:1", "axb:2", "a%:3", "a_b%:4");
      for (const namespace of ["a_b", "a%"]) {
        store.namespace = namespace;
        await store.clear();
      }
      store.namespace = undefined;
      deepEqual(await listed(store, ""), ["a_b%:4", "axb:2"]);
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
