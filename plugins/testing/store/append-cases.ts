import { deepEqual, equal, ok } from "node:assert/strict";
import { type Growing, isGrowing, type StateStore } from "../../../core/contract/index.js";
import { listed, numbers, type StoreCase } from "./case.js";

const KEY = "app/dev/journal/000000000001";
const FENCE = "app/dev/journal/000000000002";
const quick = { sync: false };

function growing(store: StateStore): StateStore & Growing {
  ok(isGrowing(store), "the store has no append");
  return store;
}

/** Returns a store that grows, with a first value under the key. */
async function begun(store: StateStore): Promise<StateStore & Growing> {
  await store.create(KEY, "first\n");
  return growing(store);
}

export const withoutAppendCases: readonly StoreCase[] = [
  {
    title: "has no append",
    async run({ store }) {
      equal(isGrowing(store), false);
    },
  },
];

export const appendCases: readonly StoreCase[] = [
  {
    title: "adds to the end of a created value",
    async run({ store }) {
      const grown = await begun(store);
      equal(await grown.append(KEY, "second\n", FENCE), true);
      equal(await grown.append(KEY, "third\n", FENCE, quick), true);
      equal(await grown.get(KEY), "first\nsecond\nthird\n");
    },
  },
  {
    title: "adds nothing but the chunk: no line break, and nothing for an empty one",
    async run({ store }) {
      const grown = await begun(store);
      for (const chunk of ["a", "", "b", "é", "😀", "\0"]) equal(await grown.append(KEY, chunk, FENCE, quick), true);
      equal(await grown.get(KEY), "first\nabé😀\0");
    },
  },
  {
    title: "never creates a key",
    async run({ store }) {
      equal(await growing(store).append(KEY, "chunk", FENCE), false);
      equal(await growing(store).append(KEY, "chunk", FENCE, quick), false);
      equal(await store.get(KEY), undefined);
      deepEqual(await listed(store, ""), []);
    },
  },
  {
    title: "returns false once the fence exists",
    async run({ store }) {
      const grown = await begun(store);
      equal(await grown.append(KEY, "before", FENCE, quick), true);
      await store.create(FENCE, "fence");
      equal(await grown.append(KEY, "after", FENCE, quick), false);
      equal(await grown.append(KEY, "after", FENCE), false);
      equal(await store.get(FENCE), "fence");
    },
  },
  {
    title: "returns false once another client has created the fence",
    async run({ store, another }) {
      const grown = await begun(store);
      const other = await another();
      equal(await grown.append(KEY, "before", FENCE, quick), true);
      await other.create(FENCE, "fence");
      equal(await grown.append(KEY, "after", FENCE, quick), false);
      ok((await other.get(KEY))?.startsWith("first\nbefore"));
    },
  },
  {
    title: "checks the given fence with each call",
    async run({ store }) {
      const grown = await begun(store);
      await store.create(FENCE, "fence");
      equal(await grown.append(KEY, "a", "app/dev/journal/3", quick), true);
      equal(await grown.append(KEY, "b", FENCE, quick), false);
      equal(await grown.append(KEY, "c", "app/dev/journal/3", quick), true);
    },
  },
  {
    title: "returns false for a deleted key, and does not recreate it",
    async run({ store }) {
      const grown = await begun(store);
      await grown.append(KEY, "second\n", FENCE, quick);
      await store.deleteMany([KEY]);
      equal(await grown.append(KEY, "third\n", FENCE, quick), false);
      equal(await store.get(KEY), undefined);
    },
  },
  {
    title: "returns false for a key that another client deleted, and does not recreate it",
    async run({ store, another }) {
      const grown = await begun(store);
      const other = await another();
      await grown.append(KEY, "second\n", FENCE, quick);
      await other.deleteMany([KEY]);
      equal(await grown.append(KEY, "third\n", FENCE, quick), false);
      equal(await grown.append(KEY, "third\n", FENCE), false);
      equal(await other.get(KEY), undefined);
      deepEqual(await listed(other, ""), []);
    },
  },
  {
    title: "adds to the present value of a key that was set or created again",
    async run({ store }) {
      const grown = await begun(store);
      await grown.append(KEY, "second\n", FENCE, quick);
      await store.set(KEY, "set\n");
      equal(await grown.append(KEY, "a\n", FENCE, quick), true);
      equal(await store.get(KEY), "set\na\n");
      await store.deleteMany([KEY]);
      await store.create(KEY, "again\n");
      equal(await grown.append(KEY, "b\n", FENCE, quick), true);
      equal(await store.get(KEY), "again\nb\n");
    },
  },
  {
    title: "keeps 300 chunks in their order",
    async run({ store }) {
      const grown = await begun(store);
      const chunks = numbers(300).map((number) => `${number}\n`);
      for (const [index, chunk] of chunks.entries()) {
        equal(await grown.append(KEY, chunk, FENCE, { sync: index % 50 === 0 }), true);
      }
      equal(await store.get(KEY), `first\n${chunks.join("")}`);
    },
  },
  {
    title: "keeps each of 50 chunks appended at once, whole and once",
    async run({ store }) {
      const grown = await begun(store);
      // Short and long chunks, because a store may write them in different ways.
      const chunks = numbers(50).map((number) => `${`${number};`.repeat(number % 5 === 0 ? 40_000 : 3)}\n`);
      const answers = await Promise.all(
        chunks.map((chunk, index) => grown.append(KEY, chunk, FENCE, { sync: index % 7 === 0 })),
      );
      deepEqual(new Set(answers), new Set([true]));
      const lines = ((await store.get(KEY)) ?? "").split(/(?<=\n)/);
      ok(lines.sort().join("") === ["first\n", ...chunks].sort().join(""), "a chunk is missing, doubled or torn");
    },
  },
  {
    title: "appends to 30 keys in turns",
    async run({ store }) {
      const grown = growing(store);
      const keys = numbers(30).map((number) => `app/${number}/journal/1`);
      for (const key of keys) await store.create(key, "");
      for (const chunk of ["a", "b", "c"]) {
        for (const key of keys) equal(await grown.append(key, chunk, FENCE, quick), true);
      }
      deepEqual(new Set(await store.getMany(keys)), new Set(["abc"]));
    },
  },
  {
    title: "shows a chunk to another client at once",
    async run({ store, another }) {
      const grown = await begun(store);
      const other = await another();
      for (const options of [quick, { sync: true }, quick]) {
        await grown.append(KEY, "chunk\n", FENCE, options);
        equal(await other.get(KEY), await store.get(KEY));
      }
      equal(await other.get(KEY), "first\nchunk\nchunk\nchunk\n");
    },
  },
  {
    title: "keeps a large chunk",
    async run({ store, largest }) {
      const grown = await begun(store);
      const chunk = `.${"é状😀".repeat(Math.ceil(largest / 20))}`;
      equal(await grown.append(KEY, chunk, FENCE, quick), true);
      ok((await store.get(KEY)) === `first\n${chunk}`, "get returns another value");
    },
  },
];
