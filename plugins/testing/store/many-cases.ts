import { deepEqual, equal } from "node:assert/strict";
import { fill, listed, numbers, type StoreCase } from "./case.js";

export const manyCases: readonly StoreCase[] = [
  {
    title: "gives many values in the order asked for, undefined for the absent",
    async run({ store }) {
      await store.set("app/dev/a", "1");
      await store.set("app/dev/b", "");
      deepEqual(await store.getMany(["app/dev/b", "app/dev/absent", "app/dev/a"]), ["", undefined, "1"]);
    },
  },
  {
    title: "gives a value as often as it is asked for",
    async run({ store }) {
      await store.set("app/dev/a", "1");
      deepEqual(await store.getMany(["app/dev/a", "app/dev/a"]), ["1", "1"]);
    },
  },
  {
    title: "gives nothing when asked for nothing",
    async run({ store }) {
      deepEqual(await store.getMany([]), []);
    },
  },
  {
    title: "deletes nothing when asked to delete nothing",
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
    title: "deletes many values as they are spelled, which are no patterns",
    async run({ store }) {
      await fill(store, "app/dev/a_b", "app/dev/axb", "app/dev/a%20", "app/dev/axx20");
      equal(await store.deleteMany(["app/dev/a_b", "app/dev/a%20"]), true);
      deepEqual(await listed(store, ""), ["app/dev/axb", "app/dev/axx20"]);
    },
  },
  {
    title: "deletes those of many that are there",
    async run({ store }) {
      await store.set("app/dev/a", "1");
      await store.set("app/dev/b", "2");
      await store.deleteMany(["app/dev/absent", "app/dev/a", "app/dev/b"]);
      deepEqual(await listed(store, ""), []);
    },
  },
  {
    title: "says false when none of many was there",
    async run({ store }) {
      equal(await store.deleteMany(["app/dev/a", "app/dev/b"]), false);
    },
  },
  {
    title: "gives and deletes 200 values",
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
    title: "gives 250 values in the order asked for, some of them twice and some absent",
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
