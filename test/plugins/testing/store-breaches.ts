/** Stores that break the contract in one way each, as stores in the field do. */
import { setImmediate } from "node:timers/promises";
import type { Growing, StateStore } from "../../../core/contract/index.js";
import { collect } from "../../../plugins/testing/store/case.js";
import { patternBreaches } from "./store-pattern-breaches.js";

export type Store = StateStore & Growing;

export interface Breach {
  /** The topic of the suite that finds it, and the beginning of the title if only one case can. */
  readonly caught: string;
  /** Replaces the broken members of a sound store; called once for each client. */
  readonly breach: (store: Store) => Partial<Store>;
}

/** Each breaks one promise of a sound store. */
export const breaches: Readonly<Record<string, Breach>> = {
  ...patternBreaches,
  "answers absence with null-like text": {
    caught: "one value",
    breach: ({ get }) => ({ get: async (key) => (await get(key)) ?? "" }),
  },
  "always says that it deleted": {
    caught: "one value",
    breach: ({ deleteMany }) => ({ deleteMany: async (keys) => (await deleteMany(keys)) || true }),
  },
  "trims values": { caught: "any text", breach: ({ set }) => ({ set: (key, value) => set(key, value.trim()) }) },
  "takes the empty string for absence": {
    caught: "any text",
    breach: ({ get }) => ({ get: async (key) => (await get(key)) || undefined }),
  },
  "folds upper and lower case of keys": {
    caught: "keys of the engine",
    breach: ({ create }) => ({ create: (key, value) => create(key.toLowerCase(), value) }),
  },
  "folds upper and lower case of keys that it sets": {
    caught: "keys of the engine",
    breach: ({ set }) => ({ set: (key, value) => set(key.toLowerCase(), value) }),
  },
  "folds upper and lower case of many keys": {
    caught: "keys of the engine",
    breach: ({ getMany }) => ({ getMany: (keys) => getMany(keys.map((key) => key.toLowerCase())) }),
  },
  "normalises paths": {
    caught: "every other key",
    breach: ({ create }) => ({ create: (key, value) => create(key.replace("//", "/"), value) }),
  },
  "leaves the absent out of many": {
    caught: "many at once",
    breach: ({ getMany }) => ({
      getMany: async (keys) => (await getMany(keys)).filter((value) => value !== undefined),
    }),
  },
  "lists by the first segment": {
    caught: "list",
    breach: ({ list }) => ({ list: (prefix) => list(prefix.split("/")[0] ?? "") }),
  },
  "shows a folder bit by bit": {
    caught: "list",
    breach: ({ list }) => ({
      async *list(prefix) {
        const [first] = await collect(list(prefix));
        for (let turn = 0; turn < 20; turn++) await Promise.resolve();
        if (first !== undefined) yield first;
        for (const key of await collect(list(prefix))) if (key !== first) yield key;
      },
    }),
  },
  "looks before it creates": {
    caught: "create",
    breach: ({ get, set }) => ({
      create: async (key, value) => {
        const free = (await get(key)) === undefined;
        if (free) await set(key, value);
        return free;
      },
    }),
  },
  "ignores the condition of create": {
    caught: "create",
    breach: ({ set }) => ({ create: (key, value) => set(key, value).then(() => true) }),
  },
  "takes an identical value for its own lost reply": {
    caught: "create",
    breach: ({ create, get }) => ({
      create: async (key, value) => (await create(key, value)) || (await get(key)) === value,
    }),
  },
  "makes keys by appending": {
    caught: "append",
    breach: ({ append, create }) => ({
      append: async (key, chunk, fence) => (await create(key, chunk)) || append(key, chunk, fence),
    }),
  },
  "does not look for the fence": {
    caught: "append",
    breach: ({ append }) => ({ append: (key, chunk) => append(key, chunk, "none") }),
  },
  "appends by reading and writing": {
    caught: "append",
    breach: ({ get, set }) => ({
      append: async (key, chunk, fence) => {
        const value = await get(key);
        if (value === undefined) return false;
        await set(key, value + chunk);
        return (await get(fence)) === undefined;
      },
    }),
  },
  "remembers which values it has set": {
    caught: "one value: agrees with itself about a key",
    breach: ({ get, set, deleteMany }) => {
      const known = new Map<string, string>();
      return {
        set: async (key, value) => {
          await set(key, value);
          known.set(key, value);
        },
        deleteMany: (keys) => {
          for (const key of keys) known.delete(key);
          return deleteMany(keys);
        },
        get: async (key) => known.get(key) ?? get(key),
      };
    },
  },
  "gives batches in the order in which they come": {
    caught: "many at once: returns 250 values",
    breach: ({ getMany }) => ({
      getMany: async (keys) => [...(await getMany(keys.slice(100))), ...(await getMany(keys.slice(0, 100)))],
    }),
  },
  "deletes a page and no more": {
    caught: "many at once: deletes more values at once than a page has",
    breach: ({ deleteMany }) => ({ deleteMany: (keys) => deleteMany(keys.slice(0, 1_000)) }),
  },
  "counts pages from the beginning": {
    caught: "list: misses none of many keys that stay",
    breach: ({ list }) => ({
      async *list(prefix) {
        for (let from = 0; ; from += 1_000) {
          const page = (await collect(list(prefix))).slice(from, from + 1_000);
          yield* page;
          if (page.length < 1_000) return;
        }
      },
    }),
  },
  "sorts pages by bytes and goes on by characters": {
    caught: "every other key: lists more keys of long characters",
    breach: ({ list }) => ({
      async *list(prefix) {
        const keys = (await collect(list(prefix))).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
        for (let last = ""; ; ) {
          const page = keys.filter((key) => last === "" || key > last).slice(0, 1_000);
          yield* page;
          last = page.at(-1) ?? "";
          if (page.length < 1_000) return;
        }
      },
    }),
  },
  "makes one request of two identical ones": {
    caught: "create: has exactly one winner of 50 at once with the identical value",
    breach: ({ create }) => {
      const underWay = new Map<string, Promise<boolean>>();
      return {
        create: (key, value) => {
          const same = underWay.get(`${key} ${value}`);
          if (same !== undefined) return same;
          const creating = create(key, value).finally(() => underWay.delete(`${key} ${value}`));
          underWay.set(`${key} ${value}`, creating);
          return creating;
        },
      };
    },
  },
  "begins with an empty table": {
    caught: "another client: may be opened, and used for the first time",
    breach: ({ create, deleteMany, list }) => {
      let begun: Promise<boolean> | undefined;
      return {
        create: async (key, value) => {
          begun ??= setImmediate().then(async () => deleteMany(await collect(list(""))));
          await begun;
          return create(key, value);
        },
      };
    },
  },
  "cannot be closed twice": {
    caught: "close: may be closed twice",
    breach: () => {
      let isOpen = true;
      return {
        close: async () => {
          if (!isOpen) throw new Error("closed already");
          isOpen = false;
        },
      };
    },
  },
  "closes the others, too": {
    caught: "close: leaves other clients open",
    breach: ({ deleteMany, list }) => ({ close: async () => void (await deleteMany(await collect(list("")))) }),
  },
  "acknowledges what it drops when it closes": {
    caught: "close: settles its running calls",
    breach: ({ set }) => {
      let isOpen = true;
      return {
        set: async (key, value) => {
          await Promise.resolve();
          if (isOpen) await set(key, value);
        },
        close: async () => {
          isOpen = false;
        },
      };
    },
  },
};
