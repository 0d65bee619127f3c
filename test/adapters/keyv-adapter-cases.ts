/** The real Keyv over a store: the promises of `asKeyvAdapter`, on any store. */
import { setTimeout as passed } from "node:timers/promises";
import { Keyv } from "keyv";
import { describe, expect, it } from "vitest";
import { asKeyvAdapter } from "../../adapters/keyv/index.js";
import type { StateStore } from "../../core/contract/index.js";
import type { OpenedStore } from "../../plugins/testing/index.js";
import { listed, numbers } from "../../plugins/testing/store/case.js";
import { putAll, snapshot } from "../helpers/stores/store-contents.js";

interface Test {
  readonly store: StateStore;
  /** A Keyv with an adapter of its own, over a client of its own. */
  keyv(namespace?: string, ttl?: number): Promise<Keyv>;
}

type Case = (test: Test) => Promise<void>;

async function pairsOf(keyv: Keyv): Promise<[string, unknown][]> {
  const pairs: [string, unknown][] = [];
  for await (const [key, value] of keyv.iterator?.(keyv.namespace) ?? []) pairs.push([key, value]);
  return pairs.sort();
}

const values: Readonly<Record<string, Case>> = {
  async "gets, has and deletes what was set"({ keyv }) {
    const cache = await keyv("one");
    expect(await cache.set("a", { number: 1 })).toBe(true);
    expect([await cache.get("a"), await cache.has("a")]).toEqual([{ number: 1 }, true]);
    expect(await cache.delete("a")).toBe(true);
    expect([await cache.get("a"), await cache.has("a"), await cache.delete("a")]).toEqual([undefined, false, false]);
  },
  async "has what is empty, false, null or 0"({ keyv }) {
    const cache = await keyv("one");
    for (const value of ["", false, null, 0]) {
      await cache.set("a", value);
      expect([await cache.get("a"), await cache.has("a")]).toEqual([value, true]);
    }
  },
  async "sets, gives, has and deletes many values, new ones and old ones"({ keyv }) {
    const cache = await keyv("one");
    await cache.set("a", "old");
    const entries = [
      { key: "a", value: 1 },
      { key: "b", value: [2] },
    ];
    expect(await cache.setMany(entries)).toEqual([true, true]);
    expect(await cache.get(["b", "none", "a", "b"])).toEqual([[2], undefined, 1, [2]]);
    expect(await cache.has(["b", "none", "a"])).toEqual([true, false, true]);
    expect(await cache.delete(["none", "a", "b"])).toBe(true);
    expect(await cache.delete(["a", "b"])).toBe(false);
  },
  async "sets the last of several values for one key"({ keyv }) {
    const cache = await keyv("one");
    await cache.setMany([1, 2, 3].map((value) => ({ key: "a", value })));
    expect(await cache.get("a")).toBe(3);
  },
  async "changes nothing when asked for nothing"({ store, keyv }) {
    const cache = await keyv("one");
    await cache.set("a", 1);
    expect([await cache.setMany([]), await cache.get([]), await cache.has([]), await cache.delete([])]).toEqual([
      [],
      [],
      [],
      false,
    ]);
    expect(await listed(store, "")).toEqual(["one:a"]);
  },
  async "sets, gives, iterates over and deletes 200 values"({ keyv }) {
    const cache = await keyv("one");
    const keys = numbers(200).map(String);
    await cache.setMany(keys.map((key) => ({ key, value: `value of ${key}` })));
    expect(await cache.get(keys)).toEqual(keys.map((key) => `value of ${key}`));
    expect(new Map(await pairsOf(cache))).toEqual(new Map(keys.map((key) => [key, `value of ${key}`])));
    expect(await cache.delete(keys)).toBe(true);
    expect(await pairsOf(cache)).toEqual([]);
  },
};

const expiry: Readonly<Record<string, Case>> = {
  async "gives, has and iterates over nothing that has expired, and deletes it when it meets it"({ store, keyv }) {
    const cache = await keyv("one");
    await cache.set("stays", 0);
    await cache.set("a", 1, 1);
    await cache.setMany(["b", "c"].map((key) => ({ key, value: 1, ttl: 1 })));
    await passed(20);
    expect(await cache.has(["stays", "a", "b", "c"])).toEqual([true, false, false, false]);
    expect(await listed(store, "")).toEqual(["one:a", "one:b", "one:c", "one:stays"]);
    expect(await cache.get("a")).toBeUndefined();
    expect(await listed(store, "")).toEqual(["one:b", "one:c", "one:stays"]);
    expect(await cache.get(["b", "stays"])).toEqual([undefined, 0]);
    expect(await listed(store, "")).toEqual(["one:c", "one:stays"]);
    expect(await pairsOf(cache)).toEqual([["stays", 0]]);
    expect(await listed(store, "")).toEqual(["one:stays"]);
  },
  async "keeps what has time left, or a ttl of 0"({ keyv }) {
    const cache = await keyv("one", 1);
    await cache.set("a", 1, 60_000);
    await cache.set("b", 2, 0);
    await cache.set("c", 3);
    await passed(20);
    expect(await cache.get(["a", "b", "c"])).toEqual([1, 2, undefined]);
  },
};

/**
 * Keys beside `one`: some begin alike, some differ in a character that is a wildcard in patterns, some are keys of a
 * state.
 */
const OTHERS = ["one", "oneself:a", "two:a", "on_:a", "o%:a", "app/dev/journal/000000000001", "app/dev/lease/one:a"];

const namespaces: Readonly<Record<string, Case>> = {
  async "clears and iterates over its namespace alone"({ store, keyv }) {
    await putAll(
      store,
      OTHERS.map((key) => [key, "other"]),
    );
    const before = await snapshot(store);
    const cache = await keyv("one");
    await cache.setMany(["a", "b/c", "app/dev/x"].map((key) => ({ key, value: 1 })));
    expect(await pairsOf(cache)).toEqual(["a", "app/dev/x", "b/c"].map((key) => [key, 1]));
    await cache.clear();
    expect(await pairsOf(cache)).toEqual([]);
    expect(await snapshot(store)).toEqual(before);
    await cache.clear();
    await cache.set("b/c", "new");
    expect(await cache.get("b/c")).toBe("new");
  },
  async "takes its namespace as it is spelled, which is no pattern"({ store, keyv }) {
    await putAll(
      store,
      ["onx:a", "o/e:a", "ox%:a", "o%%:a"].map((key) => [key, "other"]),
    );
    for (const namespace of ["on_", "o%", "o*", "o?e", "[o]"]) {
      const cache = await keyv(namespace);
      await cache.set("a", 1);
      expect(await pairsOf(cache)).toEqual([["a", 1]]);
      await cache.clear();
    }
    expect(await listed(store, "")).toEqual(["o%%:a", "o/e:a", "onx:a", "ox%:a"]);
  },
  async "keeps apart Keyvs of one store that work at once"({ keyv }) {
    const caches = await Promise.all(["one", "two", "three"].map((namespace) => keyv(namespace)));
    const keys = numbers(20).map(String);
    await Promise.all(
      caches.flatMap((cache, at) => keys.map((key) => cache.set(key, `${at} ${key}`)).concat(cache.delete("none"))),
    );
    const [one, two, three] = caches;
    await Promise.all([one?.clear(), two?.get(keys), three?.delete(keys.slice(0, 10))]);
    expect(await one?.get(keys)).toEqual(keys.map(() => undefined));
    expect(await two?.get(keys)).toEqual(keys.map((key) => `1 ${key}`));
    expect(await three?.get(keys)).toEqual(keys.map((key) => (Number(key) < 10 ? undefined : `2 ${key}`)));
  },
};

const atOnce: Readonly<Record<string, Case>> = {
  async "ends with one whole value of those that two Keyvs set at once"({ keyv }) {
    const [one, other] = [await keyv("one"), await keyv("one")];
    const texts = numbers(20).map((number) => String(number).repeat(1_000));
    await Promise.all(texts.map((text, at) => (at % 2 === 0 ? one : other).set("a", text)));
    const left = await one.get("a");
    expect(texts).toContain(left);
    expect(await other.get("a")).toBe(left);
  },
  async "leaves out what another Keyv deletes while it iterates"({ keyv }) {
    const [one, other] = [await keyv("one"), await keyv("one")];
    await one.setMany(numbers(100).map((number) => ({ key: String(number), value: number })));
    const seen: string[] = [];
    for await (const [key] of one.iterator?.("one") ?? []) {
      if (seen.length === 0) await other.clear();
      seen.push(key);
    }
    expect(seen.length).toBeGreaterThan(0);
    expect(seen.length).toBeLessThan(100);
    expect(new Set(seen).size).toBe(seen.length);
  },
};

/** @param open called for each test; returns an empty store */
export function keepsPromisesToKeyv(open: () => Promise<OpenedStore> | OpenedStore): void {
  for (const [topic, cases] of Object.entries({ values, expiry, namespaces, "at once": atOnce })) {
    describe(topic, () => {
      it.each(Object.entries(cases))("%s", async (_, run) => {
        const { store, reopen, close } = await open();
        const opened: Keyv[] = [];
        const keyv = async (namespace?: string, ttl?: number): Promise<Keyv> => {
          const made = asKeyvAdapter((await reopen?.()) ?? store);
          const one = new Keyv({ store: made, namespace, ttl, throwOnErrors: true });
          opened.push(one);
          return one;
        };
        try {
          await run({ store, keyv });
        } finally {
          for (const one of opened) await one.disconnect();
          await store.close?.();
          await close?.();
        }
      });
    });
  }
}
