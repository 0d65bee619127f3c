import { deepEqual, equal, rejects } from "node:assert/strict";
import { isGrowing, type StateStore } from "../../../core/contract/index.js";
import { collect, listed, numbers, type StoreCase } from "./case.js";

export const reopenCases: readonly StoreCase[] = [
  {
    title: "sees the keys that were set, created and deleted before",
    async run({ store, another }) {
      await store.set("app/dev/set", "1");
      await store.create("app/dev/created", "2");
      await store.set("app/dev/deleted", "3");
      await store.deleteMany(["app/dev/deleted"]);
      const other = await another();
      deepEqual(await other.getMany(["app/dev/set", "app/dev/created", "app/dev/deleted"]), ["1", "2", undefined]);
      deepEqual(await listed(other, "app/"), ["app/dev/created", "app/dev/set"]);
    },
  },
  {
    title: "cannot create a key again that was created before",
    async run({ store, another }) {
      await store.create("app/dev/key", "1");
      const other = await another();
      equal(await other.create("app/dev/key", "1"), false);
      equal(await other.create("app/dev/other", "1"), true);
      equal(await store.create("app/dev/other", "1"), false);
    },
  },
  {
    title: "sees the chunks that were appended before, and appends to them",
    async run({ store, another }) {
      await store.create("app/dev/1", "a");
      if (isGrowing(store)) await store.append("app/dev/1", "b", "app/dev/2", { sync: false });
      else await store.set("app/dev/1", "ab");
      const other = await another();
      equal(await other.get("app/dev/1"), "ab");
      if (isGrowing(other)) equal(await other.append("app/dev/1", "c", "app/dev/2"), true);
      else await other.set("app/dev/1", "abc");
      equal(await store.get("app/dev/1"), "abc");
    },
  },
  {
    title: "sees each other's changes both ways",
    async run({ store, another }) {
      const other = await another();
      await store.set("app/dev/key", "1");
      equal(await other.get("app/dev/key"), "1");
      await other.set("app/dev/key", "2");
      equal(await store.get("app/dev/key"), "2");
      await store.deleteMany(["app/dev/key"]);
      equal(await other.get("app/dev/key"), undefined);
    },
  },
  {
    title: "keeps everything after the first client was closed",
    async run({ store, another }) {
      await store.create("app/dev/key", "1");
      if (isGrowing(store)) await store.append("app/dev/key", "2", "app/dev/fence", { sync: false });
      const before = await store.get("app/dev/key");
      const other = await another();
      // If one object serves as both clients, its `close` comes after the test.
      if (other !== store) await store.close?.();
      equal(await other.get("app/dev/key"), before);
    },
  },
  {
    title: "may be opened, and used for the first time, several times at once",
    async run({ store, another }) {
      const clients = await Promise.all(numbers(5).map(another));
      const keys = numbers(5).map((number) => `app/dev/${number}`);
      const made = await Promise.all(clients.map((client, at) => client.create(`app/dev/${at}`, String(at))));
      deepEqual(new Set(made), new Set([true]));
      deepEqual(await listed(store, ""), keys);
      deepEqual(await store.getMany(keys), ["0", "1", "2", "3", "4"]);
    },
  },
];

/** A case for a client whose calls must fail. */
export interface BrokenCase {
  readonly title: string;
  run(store: StateStore): Promise<unknown>;
}

const KEY = "app/dev/journal/000000000001";

/** A wrong answer would count as a fact: that a key is absent, or that a value was written. */
const calls: Readonly<Record<string, (store: StateStore) => unknown>> = {
  get: (store) => store.get(KEY),
  getMany: (store) => store.getMany([KEY]),
  list: (store) => collect(store.list("app/dev/")),
  set: (store) => store.set(KEY, "1"),
  create: (store) => store.create(KEY, "1"),
  append: (store) => isGrowing(store) && store.append(KEY, "1", "app/dev/journal/000000000002"),
  deleteMany: (store) => store.deleteMany([KEY]),
};

export const brokenCases: readonly BrokenCase[] = Object.entries(calls).map(([name, call]) => ({
  title: `rejects ${name}, and never answers that nothing exists`,
  async run(store) {
    if (name === "append" && !isGrowing(store)) return;
    await rejects(async () => call(store), `${name} answered, although the store cannot be reached.`);
  },
}));

export function notTried(): Promise<never> {
  const message =
    'testStateStore() needs the option `broken`: functions that open clients whose calls must fail. Pass, for example, { broken: { "no server": () => tableStoreAt(nowhere) } }, or `broken: false` for a store that cannot fail, such as one in memory.';
  return Promise.reject(new Error(message));
}

export const closeCases: readonly StoreCase[] = [
  {
    title: "may be closed twice, and unused",
    async run({ another }) {
      const client = await another();
      equal(await client.close?.(), undefined);
      equal(await client.close?.(), undefined);
    },
  },
  {
    title: "leaves other clients open",
    async run({ store, another }) {
      const other = await another();
      // If one object serves as both clients, there is no other client.
      if (other === store) return;
      await other.set("app/dev/key", "1");
      await other.close?.();
      equal(await store.create("app/dev/key", "2"), false);
      await store.set("app/dev/key", "2");
      equal(await store.get("app/dev/key"), "2");
    },
  },
  {
    title: "settles its running calls when it closes: done or rejected, never acknowledged and lost",
    async run({ store, another }) {
      const other = await another();
      if (other === store) return;
      const keys = numbers(20).map((number) => `app/dev/${number}`);
      const writing = keys.map((key, at) => (at % 2 === 0 ? other.create(key, key) : other.set(key, key)));
      const outcomes = Promise.allSettled(writing);
      await other.close?.();
      const acknowledged = (await outcomes).map(({ status }) => status === "fulfilled");
      const kept = await store.getMany(keys);
      deepEqual(
        keys.filter((_, at) => acknowledged[at] && kept[at] === undefined),
        [],
      );
    },
  },
];
