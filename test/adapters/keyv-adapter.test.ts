import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Keyv, type KeyvOptions } from "keyv";
import { describe, expect, it, vi } from "vitest";
import { fsStoreAt } from "../../adapters/fs/index.js";
import { asKeyvAdapter } from "../../adapters/keyv/index.js";
import { memoryStore } from "../../adapters/memory/index.js";
import type { StateStore } from "../../core/contract/index.js";
import { listed, numbers } from "../../plugins/testing/store/case.js";
import { keepsPromisesToKeyv } from "./keyv-adapter-cases.js";

describe("over a store in memory", () => keepsPromisesToKeyv(() => ({ store: memoryStore() })));

describe("over files", () =>
  keepsPromisesToKeyv(async () => {
    const folder = await mkdtemp(join(tmpdir(), "keyv-adapter-"));
    const open = () => fsStoreAt(folder);
    return { store: open(), reopen: async () => open(), close: () => rm(folder, { recursive: true }) };
  }));

describe("asKeyvAdapter", () => {
  it("takes a store that has the least, and asks nothing else of one that has more", async () => {
    const { get, getMany, set, deleteMany, create, list } = memoryStore();
    const clear = vi.fn();
    const more = { has: clear, clear, iterator: clear, setMany: clear, delete: clear, opts: {}, namespace: "x" };
    for (const store of [
      { name: "least", get, getMany, set, deleteMany, create, list },
      { ...memoryStore(), ...more },
    ]) {
      const keyv = new Keyv({ store: asKeyvAdapter(store), throwOnErrors: true });
      await keyv.setMany([{ key: "a", value: "1" }]);
      expect([await keyv.has("a"), await listed(store, "")]).toEqual([true, ["keyv:a"]]);
      await keyv.clear();
      expect(await keyv.delete("a")).toBe(false);
      await keyv.disconnect();
    }
    expect(clear).not.toHaveBeenCalled();
  });

  it("refuses a value that is not a store, and names the missing members", () => {
    const { get, set } = memoryStore();
    const make = () => Reflect.apply(asKeyvAdapter, undefined, [{ name: "half", get, set, list: "no function" }]);
    expect(make).toThrow(
      "asKeyvAdapter() takes a store, but the given object has no getMany(), deleteMany(), create(), list().",
    );
    for (const [value, told] of [
      [
        () => memoryStore(),
        "asKeyvAdapter() takes a store, not a function. fsStore() and similar functions return a function. Pass the store that fsStoreAt()",
      ],
      [null, "asKeyvAdapter() takes a store, not null."],
      ["file:x", "asKeyvAdapter() takes a store, not a string."],
    ] as const)
      expect(() => Reflect.apply(asKeyvAdapter, undefined, [value])).toThrow(told);
  });

  it("closes the store when Keyv disconnects", async () => {
    const close = vi.fn(async () => {});
    await new Keyv({ store: asKeyvAdapter({ ...memoryStore(), close }) }).disconnect();
    expect(close).toHaveBeenCalledTimes(1);
  });

  it("asks the store for no more keys at once than the engine does", async () => {
    const store = memoryStore();
    const getMany = vi.spyOn(store, "getMany");
    const keyv = new Keyv({ store: asKeyvAdapter(store), throwOnErrors: true });
    const keys = numbers(150).map(String);
    await keyv.setMany(keys.map((key) => ({ key, value: key })));
    expect(await keyv.get(keys)).toEqual(keys);
    for await (const [key, value] of keyv.iterator?.("keyv") ?? []) expect(key).toBe(value);
    expect(getMany.mock.calls.map(([asked]) => asked.length)).toEqual([64, 64, 22, 64, 64, 22]);
  });

  describe("without a namespace", () => {
    it("does not clear, for a state in the store would go, too", async () => {
      const store = memoryStore();
      await store.set("app/dev/journal/000000000001", "a state");
      const keyv = new Keyv({ store: asKeyvAdapter(store), namespace: "", throwOnErrors: true });
      await keyv.set("a", 1);
      await expect(keyv.clear()).rejects.toMatchObject({
        code: "INVALID_OPTION",
        message: /Give the Keyv a namespace/,
      });
      keyv.namespace = "";
      await expect(keyv.clear()).rejects.toMatchObject({ code: "INVALID_OPTION" });
      expect([await keyv.get("a"), await listed(store, "")]).toEqual([1, ["a", "app/dev/journal/000000000001"]]);
    });
  });

  describe("given to Keyvs of several namespaces", () => {
    it("keeps their values apart, and clears none of them, for it is not told which", async () => {
      const store = memoryStore();
      const first = new Keyv({ store, namespace: "first", throwOnErrors: true });
      await first.set("a", 1);
      const second = new Keyv({ store, namespace: "second", throwOnErrors: true });
      await second.set("a", 2);
      expect([await first.get("a"), await second.get("a")]).toEqual([1, 2]);
      for (const keyv of [first, second]) {
        await expect(keyv.clear()).rejects.toMatchObject({
          code: "INVALID_OPTION",
          message: expect.stringMatching(
            /is used with several namespaces: "first" and "second". Give each Keyv its own adapter/,
          ),
        });
      }
      expect(await listed(store, "")).toEqual(["first:a", "second:a"]);
    });

    it("serves two Keyvs of one namespace", async () => {
      const store = memoryStore();
      const [one, other] = [new Keyv({ store, throwOnErrors: true }), new Keyv({ store, throwOnErrors: true })];
      await one.set("a", 1);
      await other.clear();
      expect(await one.get("a")).toBeUndefined();
    });
  });

  it("takes keys that Keyv does not put into the namespace, and never clears them", async () => {
    const store = memoryStore();
    const keyv = new Keyv({ store, useKeyPrefix: false, throwOnErrors: true });
    await keyv.set("a", 1);
    await keyv.clear();
    expect(await keyv.get("a")).toBe(1);
  });

  it("refuses a value that is not a text, as a Keyv without serialize gives it", async () => {
    const keyv = new Keyv({ store: memoryStore(), serialize: undefined, deserialize: undefined, throwOnErrors: true });
    for (const call of [() => keyv.set("a", 1), () => keyv.setMany([{ key: "a", value: 1 }])]) {
      await expect(call()).rejects.toMatchObject({
        code: "INVALID_OPTION",
        message: /with a serialize function that returns a string/,
      });
    }
  });

  it("has no expired value, even if asked directly, and keeps a value that is not JSON", async () => {
    const store = memoryStore();
    const keyv = new Keyv({ store, throwOnErrors: true });
    await keyv.set("gone", 1, 1);
    await keyv.set("stays", 1, 60_000);
    await store.set("plain", "no JSON");
    await new Promise((done) => setTimeout(done, 20));
    const has = await Promise.all(["keyv:gone", "keyv:stays", "plain", "none"].map((key) => store.has(key)));
    expect(has).toEqual([false, true, true, false]);
  });

  it("takes a store whose methods need their object", async () => {
    class Table {
      readonly name = "table";
      readonly #store = memoryStore();
      get = (key: string) => this.#store.get(key);
      getMany(keys: string[]) {
        return this.#store.getMany(keys);
      }
      set(key: string, value: string) {
        return this.#store.set(key, value);
      }
      deleteMany(keys: string[]) {
        return this.#store.deleteMany(keys);
      }
      create(key: string, value: string) {
        return this.#store.create(key, value);
      }
      list(prefix: string) {
        return this.#store.list(prefix);
      }
    }
    const adapter = asKeyvAdapter(new Table());
    const keyv = new Keyv({ store: adapter, throwOnErrors: true });
    await keyv.set("a", 1);
    expect([await keyv.get("a"), await adapter.create("b", "2"), await listed(adapter, "")]).toEqual([
      1,
      true,
      ["b", "keyv:a"],
    ]);
  });

  describe("over a store that fails", () => {
    const failed = new Error("nobody answers");
    const refuse = () => Promise.reject(failed);
    const failing: StateStore = {
      name: "failing",
      ...{ get: refuse, getMany: refuse, set: refuse, deleteMany: refuse, create: refuse },
      list: () => ({ [Symbol.asyncIterator]: () => ({ next: refuse }) }),
    };

    const open = (options: KeyvOptions): { keyv: Keyv; heard: unknown[] } => {
      const heard: unknown[] = [];
      const keyv = new Keyv({ store: asKeyvAdapter(failing), ...options });
      return { keyv: keyv.on("error", (error) => heard.push(error)), heard };
    };

    const calls: Readonly<Record<string, (keyv: Keyv) => Promise<unknown>>> = {
      get: (keyv) => keyv.get("a"),
      "get of many": (keyv) => keyv.get(["a"]),
      has: (keyv) => keyv.has("a"),
      "has of many": (keyv) => keyv.has(["a"]),
      set: (keyv) => keyv.set("a", 1),
      setMany: (keyv) => keyv.setMany([{ key: "a", value: 1 }]),
      delete: (keyv) => keyv.delete("a"),
      "delete of many": (keyv) => keyv.delete(["a"]),
      clear: (keyv) => keyv.clear(),
      iterator: async (keyv) => keyv.iterator?.("keyv").next(),
    };

    it.each(Object.entries(calls))("rejects %s of a Keyv that throws errors", async (_, call) => {
      await expect(call(open({ throwOnErrors: true }).keyv)).rejects.toBe(failed);
    });

    it.each(Object.entries(calls))("rejects %s of another Keyv, or tells it by an event", async (_, call) => {
      const { keyv, heard } = open({});
      const outcome = await call(keyv).catch((error: unknown) => error);
      expect(outcome === failed ? [failed] : heard).toContain(failed);
    });

    it.each(["get", "set", "delete", "clear"])("tells a failed %s once", async (name) => {
      const { keyv, heard } = open({});
      await calls[name]?.(keyv);
      expect(heard).toEqual([failed]);
    });

    it("rejects, and throws nothing past the caller, without a listener", async () => {
      await expect(asKeyvAdapter(failing).get("a")).rejects.toBe(failed);
    });
  });
});
