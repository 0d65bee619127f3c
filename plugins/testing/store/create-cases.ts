import { deepEqual, equal, ok } from "node:assert/strict";
import type { StateStore } from "../../../core/contract/index.js";
import { listed, numbers, type StoreCase } from "./case.js";

const KEY = "app/dev/journal/000000000001";

/** Creates one key with 50 values at once; the store must hold the one value whose create returned true. */
async function race(clients: readonly StateStore[]): Promise<void> {
  const values = numbers(50).map((number) => `value ${number} `.repeat(number + 1));
  const answers = await Promise.all(
    values.map((value, index) => clients[index % clients.length]?.create(KEY, value, { sync: index % 3 !== 0 })),
  );
  const winners = values.filter((_, index) => answers[index] === true);
  equal(winners.length, 1, "winners");
  equal(answers.filter((answer) => answer === false).length, 49, "losers");
  for (const client of clients) equal(await client.get(KEY), winners[0]);
}

export const createCases: readonly StoreCase[] = [
  {
    title: "creates an absent key",
    async run({ store }) {
      equal(await store.create(KEY, "value"), true);
      equal(await store.get(KEY), "value");
    },
  },
  {
    title: "refuses a key that exists, and keeps its value",
    async run({ store }) {
      await store.create(KEY, "first");
      equal(await store.create(KEY, "second"), false);
      equal(await store.get(KEY), "first");
    },
  },
  {
    title: "refuses the identical value, too",
    async run({ store }) {
      await store.create(KEY, "value");
      equal(await store.create(KEY, "value"), false);
      equal(await store.create(KEY, "value"), false);
    },
  },
  {
    title: "refuses a key that was set, even to the empty string",
    async run({ store }) {
      await store.set(KEY, "");
      equal(await store.create(KEY, "value"), false);
      equal(await store.get(KEY), "");
    },
  },
  {
    title: "refuses a key that was created empty",
    async run({ store }) {
      equal(await store.create(KEY, ""), true);
      equal(await store.create(KEY, "value"), false);
    },
  },
  {
    title: "creates a deleted key again",
    async run({ store }) {
      await store.create(KEY, "first");
      await store.deleteMany([KEY]);
      equal(await store.create(KEY, "second"), true);
      equal(await store.get(KEY), "second");
    },
  },
  {
    title: "lets set replace a created value",
    async run({ store }) {
      await store.create(KEY, "first");
      await store.set(KEY, "second");
      equal(await store.get(KEY), "second");
    },
  },
  {
    title: "answers the same whether or not the write must survive a power loss",
    async run({ store }) {
      equal(await store.create(KEY, "value", { sync: false }), true);
      equal(await store.create(KEY, "value", { sync: true }), false);
      equal(await store.create(KEY, "value", { sync: false }), false);
      equal(await store.get(KEY), "value");
    },
  },
  {
    title: "leaves nothing else behind, won or lost",
    async run({ store }) {
      await store.create(KEY, "first");
      await store.create(KEY, "second");
      deepEqual(await listed(store, ""), [KEY]);
    },
  },
  {
    title: "has exactly one winner of 50 at once",
    run: ({ store }) => race([store]),
  },
  {
    title: "has exactly one winner of 50 at once from two clients",
    run: async ({ store, another }) => race([store, await another()]),
  },
  {
    title: "has exactly one winner of 50 at once over a deleted key",
    async run({ store, another }) {
      await store.create(KEY, "old");
      await store.deleteMany([KEY]);
      await race([store, await another()]);
    },
  },
  {
    title: "has exactly one winner of 50 at once with the identical value, from two clients",
    async run({ store, another }) {
      const clients = [store, await another()];
      const answers = await Promise.all(numbers(50).map((number) => clients[number % 2]?.create(KEY, "value")));
      equal(answers.filter((answer) => answer === true).length, 1, "winners");
      equal(answers.filter((answer) => answer === false).length, 49, "losers");
    },
  },
  {
    title: "creates 50 keys at once",
    async run({ store }) {
      const keys = numbers(50).map((number) => `app/dev/${number % 7}/${String(number).padStart(2, "0")}`);
      const answers = await Promise.all(keys.map((key) => store.create(key, key)));
      deepEqual(new Set(answers), new Set([true]));
      deepEqual(await store.getMany(keys), keys);
    },
  },
  {
    title: "shows a created key to another client at once",
    async run({ store, another }) {
      const other = await another();
      equal(await other.get(KEY), undefined);
      await store.create(KEY, "value");
      equal(await other.get(KEY), "value");
      equal(await other.create(KEY, "value"), false);
    },
  },
  {
    title: "never shows a value in part while it is created",
    async run({ store, another }) {
      const value = "0123456789".repeat(200_000);
      const reader = await another();
      const creating = store.create(KEY, value);
      for (const _ of numbers(20)) ok([undefined, value].includes(await reader.get(KEY)));
      equal(await creating, true);
    },
  },
];
