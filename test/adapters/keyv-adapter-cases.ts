/** What Keyv asks of a storage adapter beyond one value: the promises of `asKeyvAdapter`, on any store. */
import { describe, expect, it } from "vitest";
import { asKeyvAdapter, type KeyvStorageAdapter } from "../../adapters/keyv/index.js";
import { collect, numbers } from "../../core/testing/store/case.js";
import type { OpenedStore } from "../../core/testing/store/suite.js";

const textOf = (key: string): string => `value of ${key}`;

async function fill(adapter: KeyvStorageAdapter, ...keys: readonly string[]): Promise<void> {
  await adapter.setMany(keys.map((key) => ({ key, value: textOf(key) })));
}

async function keysIn(adapter: KeyvStorageAdapter): Promise<string[]> {
  return (await collect(adapter.iterator())).map(([key]) => key).sort();
}

type Case = (adapter: KeyvStorageAdapter) => Promise<void>;

const values: Readonly<Record<string, Case>> = {
  async "gets, has and deletes what was set"(adapter) {
    expect(await adapter.set("one:a", "1")).toBeUndefined();
    expect([await adapter.get("one:a"), await adapter.has("one:a")]).toEqual(["1", true]);
    expect(await adapter.delete("one:a")).toBe(true);
    expect([await adapter.get("one:a"), await adapter.has("one:a")]).toEqual([undefined, false]);
    expect(await adapter.delete("one:a")).toBe(false);
  },
  async "has the empty string"(adapter) {
    await adapter.set("a", "");
    expect([await adapter.has("a"), await adapter.hasMany(["b", "a"])]).toEqual([true, [false, true]]);
  },
  async "sets many values, new ones and old ones"(adapter) {
    await adapter.set("a", "old");
    await adapter.setMany([
      { key: "a", value: "1" },
      { key: "b", value: "2" },
    ]);
    expect(await adapter.getMany(["b", "absent", "a"])).toEqual(["2", undefined, "1"]);
  },
  async "sets the last of several values for one key"(adapter) {
    await adapter.setMany(["1", "2", "3"].map((value) => ({ key: "a", value })));
    expect(await adapter.get("a")).toBe("3");
  },
  async "changes nothing when asked for nothing"(adapter) {
    await adapter.set("a", "1");
    await adapter.setMany([]);
    expect([await adapter.getMany([]), await adapter.hasMany([]), await adapter.deleteMany([])]).toEqual([
      [],
      [],
      false,
    ]);
    expect(await keysIn(adapter)).toEqual(["a"]);
  },
  async "sets, gives and deletes 200 values"(adapter) {
    const keys = numbers(200).map((number) => `one:${number}`);
    await fill(adapter, ...keys);
    expect(await adapter.getMany(keys)).toEqual(keys.map(textOf));
    expect(new Map(await collect(adapter.iterator("one")))).toEqual(new Map(keys.map((key) => [key, textOf(key)])));
    expect(await adapter.deleteMany(keys)).toBe(true);
    expect(await adapter.deleteMany(keys)).toBe(false);
  },
};

const iteration: Readonly<Record<string, Case>> = {
  async "iterates over nothing where there is nothing"(adapter) {
    expect(await collect(adapter.iterator())).toEqual([]);
  },
  async "iterates over all keys with their values"(adapter) {
    await adapter.setMany([
      { key: "app/dev/a", value: "1" },
      { key: "b", value: "" },
    ]);
    const pairs = new Map(await collect(adapter.iterator()));
    expect(pairs).toEqual(
      new Map([
        ["app/dev/a", "1"],
        ["b", ""],
      ]),
    );
  },
  async "iterates over a namespace as it is spelled, which is no pattern"(adapter) {
    await fill(adapter, "a_b:1", "axb:2", "a%:3", "a_b%:4");
    expect(await collect(adapter.iterator("a_b"))).toEqual([["a_b:1", textOf("a_b:1")]]);
    expect(await collect(adapter.iterator("a%"))).toEqual([["a%:3", textOf("a%:3")]]);
  },
  async "iterates over one namespace, under the keys that Keyv gave"(adapter) {
    await fill(adapter, "one:a", "one:b/c", "oneself:a", "two:a", "one");
    const pairs = await collect(adapter.iterator("one"));
    expect(pairs.map(([key]) => key).sort()).toEqual(["one:a", "one:b/c"]);
  },
  async "leaves out what is deleted while it iterates"(adapter) {
    await fill(adapter, ...numbers(100).map((number) => `one:${number}`));
    const left: string[] = [];
    for await (const [key] of adapter.iterator("one")) {
      if (left.length === 0) await adapter.clear();
      left.push(key);
    }
    expect(left.length).toBeLessThan(100);
  },
};

const clearing: Readonly<Record<string, Case>> = {
  async "clears everything, and takes new values"(adapter) {
    await fill(adapter, "a", "b/c", "b/d/e");
    expect(await adapter.clear()).toBeUndefined();
    expect(await keysIn(adapter)).toEqual([]);
    await adapter.set("b/c", "new");
    expect(await adapter.get("b/c")).toBe("new");
  },
  async "clears what is empty"(adapter) {
    await adapter.clear();
    expect(await keysIn(adapter)).toEqual([]);
  },
  async "clears a namespace as it is spelled, which is no pattern"(adapter) {
    await fill(adapter, "a_b:1", "axb:2", "a%:3", "a_b%:4");
    for (const namespace of ["a_b", "a%"]) {
      adapter.namespace = namespace;
      await adapter.clear();
    }
    expect(await keysIn(adapter)).toEqual(["a_b%:4", "axb:2"]);
  },
  async "clears its namespace alone, where it has one"(adapter) {
    await fill(adapter, "one:a", "one:b/c", "oneself:a", "two:a", "one");
    adapter.namespace = "one";
    await adapter.clear();
    expect(await keysIn(adapter)).toEqual(["one", "oneself:a", "two:a"]);
  },
};

/** @param open called for each test: an empty store */
export function keepsPromisesToKeyv(open: () => Promise<OpenedStore> | OpenedStore): void {
  for (const [topic, cases] of Object.entries({ values, iteration, clearing })) {
    describe(topic, () => {
      it.each(Object.entries(cases))("%s", async (_, run) => {
        const { store, close } = await open();
        const adapter = asKeyvAdapter(store);
        try {
          await run(adapter);
        } finally {
          await adapter.disconnect();
          await close?.();
        }
      });
    });
  }
}
