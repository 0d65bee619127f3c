import { deepEqual, equal, ok } from "node:assert/strict";
import type { StateStore } from "../../../core/contract/index.js";
import { listed, numbers, type StoreCase } from "./case.js";

export const oneValueCases: readonly StoreCase[] = [
  {
    title: "has nothing under a key that was never set",
    async run({ store }) {
      equal(await store.get("app/dev/absent"), undefined);
      equal(await store.deleteMany(["app/dev/absent"]), false);
    },
  },
  {
    title: "returns the value that was set",
    async run({ store }) {
      equal(await store.set("app/dev/key", "value"), undefined);
      equal(await store.get("app/dev/key"), "value");
    },
  },
  {
    title: "replaces a value whole, a longer one by a shorter one",
    async run({ store }) {
      await store.set("app/dev/key", "a long value");
      await store.set("app/dev/key", "short");
      equal(await store.get("app/dev/key"), "short");
    },
  },
  {
    title: "deletes a value, and returns true if it existed",
    async run({ store }) {
      await store.set("app/dev/key", "value");
      equal(await store.deleteMany(["app/dev/key"]), true);
      equal(await store.get("app/dev/key"), undefined);
      equal(await store.deleteMany(["app/dev/key"]), false);
    },
  },
  {
    title: "takes a new value under a deleted key",
    async run({ store }) {
      await store.set("app/dev/key", "old");
      await store.deleteMany(["app/dev/key"]);
      await store.set("app/dev/key", "new");
      equal(await store.get("app/dev/key"), "new");
    },
  },
  {
    title: "keeps values apart when one is deleted",
    async run({ store }) {
      await store.set("app/dev/one", "1");
      await store.set("app/dev/two", "2");
      await store.deleteMany(["app/dev/one"]);
      equal(await store.get("app/dev/two"), "2");
    },
  },
  {
    title: "ends with one whole value after 50 sets at once",
    async run({ store }) {
      const values = numbers(50).map((number) => String(number).repeat(1_000 + number));
      await Promise.all(values.map((value) => store.set("app/dev/key", value)));
      ok(values.includes((await store.get("app/dev/key")) ?? ""));
    },
  },
  {
    title: "agrees with itself about a key that was set and deleted at once",
    async run({ store, another }) {
      const other = await another();
      for (const number of numbers(10)) {
        const key = `app/dev/${number}`;
        await Promise.all([store.set(key, "1"), other.deleteMany([key]), store.set(key, "2"), other.deleteMany([key])]);
        const value = await store.get(key);
        ok([undefined, "1", "2"].includes(value));
        equal(await other.get(key), value);
        await listsAtLast(store, key, value !== undefined);
      }
    },
  },
  {
    title: "never shows a value in part while it is replaced",
    async run({ store, another }) {
      const values = ["a".repeat(300_000), "b".repeat(300_000)];
      await store.set("app/dev/key", "a".repeat(300_000));
      const reader = await another();
      const writing = Promise.all(values.map((value) => store.set("app/dev/key", value)));
      for (const _ of numbers(20)) ok(values.includes((await reader.get("app/dev/key")) ?? ""));
      await writing;
    },
  },
];

const texts: Readonly<Record<string, string>> = {
  "the empty string": "",
  "line breaks of every kind": "\na\r\nb\rc\n\n",
  "white space at both ends": " \t value \t ",
  "NUL and other control characters": "\0a\u0001\u001f\u007f\0",
  "quotes, backslashes and JSON": `{"a":"\\"'\`","b":[null]}`,
  "text that looks like another type": "null",
  "umlauts, Chinese and emoji": "äöü 状態 👩‍👩‍👧‍👦 e\u0301 \u{10ffff}",
  "a byte order mark at the beginning": "\ufeffvalue",
  "characters that other formats treat specially": "\u2028\u2029\u00ad\u200b\u202e\uffff\ufffd",
};

export const valueCases: readonly StoreCase[] = [
  ...Object.entries(texts).map(([name, text]) => ({
    title: `keeps ${name}`,
    run: ({ store }: { readonly store: StateStore }) => keeps(store, text),
  })),
  {
    title: "keeps a large value",
    run: ({ store, largest }) => keeps(store, "0123456789".repeat(Math.ceil(largest / 10)).slice(0, largest)),
  },
  {
    title: "keeps a large value of long characters, wherever it is cut on its way",
    run: ({ store, largest }) => keeps(store, `.${"é状😀".repeat(Math.ceil(largest / 20))}`),
  },
];

async function keeps(store: StateStore, text: string): Promise<void> {
  await store.set("app/dev/set", text);
  // Not `equal`: its report of a large difference takes minutes.
  ok((await store.get("app/dev/set")) === text, "get returns another value than set stored");
  equal(await store.create("app/dev/created", text), true);
  ok((await store.get("app/dev/created")) === text, "get returns another value than create stored");
  const both = await store.getMany(["app/dev/created", "app/dev/set"]);
  deepEqual(
    both.map((value) => value === text),
    [true, true],
  );
}

/** Milliseconds between two checks. */
const LIST_PAUSE = 100;

/** One minute of checks: tells a store that loses keys from a busy machine, and does not test speed. */
const LIST_TRIES = 600;

/** Services that keep a separate list of keys (Ceph does) complete it a moment after calls that raced for a key. */
async function listsAtLast(store: StateStore, key: string, isThere: boolean): Promise<void> {
  const expected = isThere ? [key] : [];
  for (let tries = 0; tries < LIST_TRIES; tries += 1) {
    if ((await listed(store, key)).length === expected.length) break;
    await new Promise((resolve) => setTimeout(resolve, LIST_PAUSE));
  }
  deepEqual(await listed(store, key), expected);
}
