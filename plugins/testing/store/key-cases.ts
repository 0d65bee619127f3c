import { deepEqual, equal } from "node:assert/strict";
import type { StateStore } from "../../../core/contract/index.js";
import { fill, listed, numbers, type StoreCase } from "./case.js";

/** Titles, with keys that a store must keep apart. */
const engineKeys: Readonly<Record<string, readonly string[]>> = {
  "a key and the keys below it": ["app", "app/dev", "app/dev/journal/000000000001", "app/dev/journal"],
  "keys that begin with another key": ["app/dev/a", "app/dev/ab", "app/dev2/a", "app2/dev/a"],
  "dots, dashes, underscores and percent signs": ["a.b/c-d/e_f", "a%20b/c", "a%2520b/c", "a%2Fb/c", "a/b/c"],
  // In such a pair, the first key matches the second one in a query in which `_` and `%` are wildcards.
  "characters that are patterns in SQL": ["a_b/c", "axb/c", "a%20b/c", "axx20b/c", "a%20/b_", "a%20/bb"],
  "names that end like files": ["app/a.json", "app/a", "app/a.json/b", "app/a/b", "app/a.json.json", "app/a.tmp"],
  "segments of 200 bytes": [`app/${"x".repeat(200)}/a`, `app/${"x".repeat(199)}y/a`, `app/${"%C3%A4".repeat(33)}/a`],
  "upper and lower case": ["App/Dev/Key", "app2/dev/key"],
};

const otherKeys: Readonly<Record<string, readonly string[]>> = {
  "the empty key": ["", "a"],
  "empty segments": ["/", "//", "a/", "/a", "a//b", "a/b"],
  "dots that mean folders elsewhere": [".", "..", "../a", "a/../b", "a/./b", "./a", "a", "b", ".../a"],
  "dots at the ends": [".a", "a.", "a..", "..a", ".a/b", "a./b"],
  "white space": [" ", "a ", " a", "a b", "a\tb", "a\nb", "a \r\n"],
  "characters that file systems refuse": ["a:b", "a*b", "a?b", 'a"b', "a<b", "a>b", "a|b", "a\\b", "a'b"],
  "characters that are patterns elsewhere": [
    ...["a*b", "axxb", "a?b", "axb", "a[xy]b", "a[!x]b", "azb", "a{x,y}b", "a.b", "a+b", "aab", "^a", "a$", "a|b"],
    ...["a\\_b", "a_b", "a\\%b", "a%b", "a\\b", "a\\*b"],
  ],
  "names that Windows reserves": ["con", "CON1", "nul", "nul.txt", "aux/a", "com1", "lpt9.x", "prn."],
  "control characters": ["a\0b", "\0", "a\u0001", "\u007f"],
  "text of every script": ["ä", "a\u0308", "状態/名前", "👩‍👩‍👧‍👦", "\ufeffa", "ß", "SS"],
  "characters with which stores escape": [
    "a%",
    "%",
    "%%",
    "a=b",
    "=",
    "=3D",
    "%3D",
    "a+b",
    "a~b",
    "a~1",
    "#",
    "&",
    "{a}",
  ],
  "long names": ["x".repeat(300), `${"x".repeat(299)}y`, `${"x".repeat(300)}/${"é".repeat(150)}`, "x".repeat(900)],
};

export const keyCases: readonly StoreCase[] = casesOf(engineKeys);

export const everyKeyCases: readonly StoreCase[] = [
  ...casesOf(otherKeys),
  {
    title: "lists more keys of long characters than a page has, each once",
    async run({ store, many }) {
      // The first two sort one way by their UTF-8 bytes, and the other way by their UTF-16 code units.
      const keys = numbers(many).map((number) => `状態/dev/${["\uff5e", "😀", "é"][number % 3]}${number}`);
      await fill(store, ...keys);
      deepEqual(await listed(store, "状態/"), [...keys].sort());
      deepEqual(await listed(store, "状態/dev/😀"), keys.filter((key) => key.includes("😀")).sort());
    },
  },
];

function casesOf(families: Readonly<Record<string, readonly string[]>>): StoreCase[] {
  return Object.entries(families).map(([title, keys]) => ({
    title: `keeps apart ${title}`,
    run: ({ store }) => keepsApart(store, keys),
  }));
}

async function keepsApart(store: StateStore, keys: readonly string[]): Promise<void> {
  for (const key of keys) equal(await store.create(key, `value of ${key}`), true, JSON.stringify(key));
  deepEqual(await listed(store, ""), [...keys].sort());
  for (const key of keys) {
    equal(await store.get(key), `value of ${key}`);
    deepEqual(await listed(store, key), keys.filter((other) => other.startsWith(key)).sort(), JSON.stringify(key));
  }
  for (const key of keys) await store.set(key, `other value of ${key}`);
  const values = keys.map((key) => `other value of ${key}`);
  deepEqual(await store.getMany([...keys]), values, "getMany returns other values than set stored");
  deepEqual(await listed(store, ""), [...keys].sort(), "set has created other keys than the given ones");
  for (const [index, key] of keys.entries()) {
    equal(await store.deleteMany([key]), true, JSON.stringify(key));
    equal(await store.get(key), undefined, JSON.stringify(key));
    deepEqual(await listed(store, ""), keys.slice(index + 1).sort());
  }
}

export const manyCases: readonly StoreCase[] = [
  {
    title: "returns many values in the order of the keys, undefined for absent keys",
    async run({ store }) {
      await store.set("app/dev/a", "1");
      await store.set("app/dev/b", "");
      deepEqual(await store.getMany(["app/dev/b", "app/dev/absent", "app/dev/a"]), ["", undefined, "1"]);
    },
  },
  {
    title: "returns a value as often as its key is given",
    async run({ store }) {
      await store.set("app/dev/a", "1");
      deepEqual(await store.getMany(["app/dev/a", "app/dev/a"]), ["1", "1"]);
    },
  },
  {
    title: "returns nothing for no keys",
    async run({ store }) {
      deepEqual(await store.getMany([]), []);
    },
  },
  {
    title: "deletes nothing for no keys",
    async run({ store }) {
      await store.set("app/dev/a", "1");
      equal(await store.deleteMany([]), false);
      deepEqual(await listed(store, ""), ["app/dev/a"]);
    },
  },
  {
    title: "deletes many values and no others",
    async run({ store }) {
      for (const key of ["a", "b", "bb", "c"]) await store.set(`app/dev/${key}`, key);
      equal(await store.deleteMany(["app/dev/a", "app/dev/b"]), true);
      deepEqual(await listed(store, ""), ["app/dev/bb", "app/dev/c"]);
    },
  },
  {
    title: "takes the keys to delete literally, not as patterns",
    async run({ store }) {
      await fill(store, "app/dev/a_b", "app/dev/axb", "app/dev/a%20", "app/dev/axx20");
      equal(await store.deleteMany(["app/dev/a_b", "app/dev/a%20"]), true);
      deepEqual(await listed(store, ""), ["app/dev/axb", "app/dev/axx20"]);
    },
  },
  {
    title: "deletes the keys that exist, among absent ones",
    async run({ store }) {
      await store.set("app/dev/a", "1");
      await store.set("app/dev/b", "2");
      await store.deleteMany(["app/dev/absent", "app/dev/a", "app/dev/b"]);
      deepEqual(await listed(store, ""), []);
    },
  },
  {
    title: "returns false if none of many existed",
    async run({ store }) {
      equal(await store.deleteMany(["app/dev/a", "app/dev/b"]), false);
    },
  },
  {
    title: "returns and deletes 200 values",
    async run({ store }) {
      const keys = numbers(200).map((number) => `app/dev/${number}`);
      await fill(store, ...keys);
      deepEqual(
        await store.getMany(keys),
        keys.map((key) => `value of ${key}`),
      );
      equal(await store.deleteMany(keys), true);
      deepEqual(await listed(store, ""), []);
    },
  },
  {
    title: "returns 250 values in the order of the keys, some of them twice and some absent",
    async run({ store }) {
      const there = numbers(100).map((number) => `app/dev/there/${number}`);
      await fill(store, ...there);
      const asked = numbers(250).map((number) => (number % 5 === 4 ? `app/dev/absent/${number}` : there[number % 100]));
      const keys = asked.flatMap((key) => key ?? []);
      deepEqual(
        await store.getMany(keys),
        keys.map((key) => (key.includes("absent") ? undefined : `value of ${key}`)),
      );
    },
  },
  {
    title: "deletes more values at once than a page has, and no others",
    async run({ store, many }) {
      const keys = numbers(many).map((number) => `app/dev/journal/${number}`);
      await fill(store, ...keys, "app/dev/journal/stays", "app/dev/journa");
      equal(await store.deleteMany(keys), true);
      deepEqual(await listed(store, ""), ["app/dev/journa", "app/dev/journal/stays"]);
      equal(await store.deleteMany(keys), false);
    },
  },
];
