import { deepEqual, equal, ok } from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { fill, listed, numbers, type StoreCase } from "./case.js";

/** Number of keys at any moment, or one more. */
const KEPT = 5;

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
    title: "lists the keys below a prefix, and no others",
    async run({ store }) {
      await fill(store, "app/dev/journal/1", "app/dev/journal/2", "app/dev/lease/1", "app/prod/journal/1");
      deepEqual(await listed(store, "app/dev/journal/"), ["app/dev/journal/1", "app/dev/journal/2"]);
    },
  },
  {
    title: "distinguishes names that begin with another name",
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
      await store.deleteMany(["app/dev/a"]);
      deepEqual(await listed(store, "app/"), ["app/dev/b"]);
    },
  },
  {
    title: "lists many keys, each once",
    async run({ store, many }) {
      const keys = numbers(many).map((number) => `app/dev/journal/${String(number).padStart(12, "0")}`);
      await fill(store, ...keys);
      deepEqual(await listed(store, "app/dev/journal/"), keys);
    },
  },
  {
    title: "continues listing while keys come and go",
    async run({ store, another }) {
      const keys = numbers(100).map((number) => `app/dev/${number % 10}/${number}`);
      await fill(store, ...keys);
      await store.set("app/dev/stays", "");
      const [names] = await Promise.all([listed(await another(), "app/"), store.deleteMany(keys)]);
      equal(names.includes("app/dev/stays"), true);
    },
  },
  {
    title: "misses none of many keys that stay, and shows none twice, while others among them are deleted",
    async run({ store, another, many }) {
      const keys = numbers(many).map((number) => `app/dev/journal/${String(number).padStart(12, "0")}`);
      await fill(store, ...keys);
      const goes = (key: string): boolean => Number(key.slice(-12)) % 3 === 0;
      const reader = await another();
      const listing = listed(reader, "app/dev/journal/");
      const [seen] = await Promise.all([listing, store.deleteMany(keys.filter(goes))]);
      deepEqual(
        seen.filter((key) => !goes(key)),
        keys.filter((key) => !goes(key)),
      );
      equal(new Set(seen).size, seen.length);
      deepEqual(
        await listed(reader, "app/dev/"),
        keys.filter((key) => !goes(key)),
      );
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
          await store.deleteMany([keyOf(newest - KEPT)]);
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
          // Reads from memory would never let a writer continue that waits for a timer or the disk.
          if (newest === before) await setImmediate();
        }
      } finally {
        await writing;
      }
    },
  },
];
