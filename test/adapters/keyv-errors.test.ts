/** Effects on a store of a Keyv that fails, hides its errors, or loses values. */
import { EventEmitter } from "node:events";
import { Keyv } from "keyv";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { keyvStore, keyvStoreAt } from "../../adapters/keyv/index.js";
import type { StateStore, StoreContext } from "../../core/contract/index.js";
import { listed } from "../../plugins/testing/store/case.js";

type Fault = (call: "get" | "set" | "delete", key: string) => void;

/** An adapter whose calls first do what `fault` says. */
function faultyAdapter(fault: Fault) {
  const values = new Map<string, unknown>();
  const events = new EventEmitter();
  const adapter = Object.assign(events, {
    values,
    namespace: undefined as string | undefined,
    get: async (key: string) => {
      fault("get", key);
      return values.get(key);
    },
    set: async (key: string, value: string) => {
      fault("set", key);
      values.set(key, value);
    },
    delete: async (key: string) => {
      fault("delete", key);
      return values.delete(key);
    },
    clear: async () => values.clear(),
  });
  return adapter;
}

const KEY = "app/dev/key";

const calls: Readonly<Record<string, (store: StateStore) => Promise<unknown>>> = {
  get: (store) => store.get(KEY),
  getMany: (store) => store.getMany(["app/dev/other", KEY]),
  set: (store) => store.set(KEY, "value"),
  create: (store) => store.create(KEY, "value"),
  deleteMany: (store) => store.deleteMany([KEY, "app/dev/other"]),
  list: (store) => listed(store, "app/dev/"),
  "list of all": (store) => listed(store, ""),
};

const failed = {
  code: "STORE_FAILED",
  message: expect.stringMatching(
    /^(?:2 of 2 requests failed\. The first error: )?Could not \w+ "[^"]+" in Keyv \(EventEmitter, namespace ".+"\): the cable is cut\. Check/,
  ),
};
const cut = (): never => {
  throw new Error("the cable is cut");
};

describe.each(Object.entries(calls))("%s", (_, call) => {
  it("rejects where the adapter does", async () => {
    await expect(call(keyvStoreAt(faultyAdapter(cut)))).rejects.toMatchObject(failed);
    const keyv = new Keyv({ store: faultyAdapter(cut), throwOnErrors: true });
    await expect(call(keyvStoreAt(keyv))).rejects.toMatchObject(failed);
  });

  it("rejects where the adapter only tells of its error, as an event", async () => {
    const adapter = faultyAdapter(() => adapter.emit("error", new Error("the cable is cut")));
    adapter.on("error", () => {});
    await expect(call(keyvStoreAt(adapter))).rejects.toMatchObject(failed);
  });
});

describe("keyvStoreAt", () => {
  it("fails on the call that failed, with its cause, and goes on with the next one", async () => {
    let isCut = false;
    const adapter = faultyAdapter(() => isCut && cut());
    const store = keyvStoreAt(adapter);
    await store.set(KEY, "value");
    isCut = true;
    await expect(store.set(KEY, "another")).rejects.toMatchObject({ cause: { message: "the cable is cut" } });
    isCut = false;
    expect(await store.get(KEY)).toBe("value");
  });

  it("believes a value that was found while something else failed", async () => {
    const adapter = faultyAdapter((call) => call === "get" && adapter.emit("error", new Error("reconnecting")));
    adapter.on("error", () => {});
    adapter.values.set(`scope-engine:${KEY}`, '{"value":"found"}');
    expect(await keyvStoreAt(adapter).get(KEY)).toBe("found");
  });

  it("rejects where the adapter says that it has not taken a value", async () => {
    const adapter = { ...faultyAdapter(() => {}), set: async () => false };
    await expect(keyvStoreAt(adapter).set(KEY, "value")).rejects.toMatchObject({
      code: "STORE_FAILED",
      message: expect.stringContaining("the adapter refused the value"),
    });
  });

  it("does not take a value that was evicted for one that never was", async () => {
    const map = new Map<string, unknown>();
    const store = keyvStoreAt(map);
    await store.create(KEY, "value");
    await store.create("app/dev/next", "value");
    map.delete(`scope-engine:${KEY}`);
    const lost = { code: "STORE_FAILED", message: expect.stringContaining("but it is missing") };
    for (const call of [calls.get, calls.getMany, calls.create]) {
      await expect(call?.(store)).rejects.toMatchObject(lost);
    }
    await store.deleteMany([KEY]);
    expect(await store.create(KEY, "anew")).toBe(true);
  });

  it("lists nothing that was about to be written, or deleted, when the process was killed", async () => {
    let isDead = false;
    const adapter = faultyAdapter((call, key) => {
      if (isDead && call !== "get") cut();
      if (call === "set" && key.endsWith("never")) isDead = true;
      if (call === "delete") isDead = true;
    });
    const begin = () => {
      isDead = false;
      return keyvStoreAt(adapter);
    };
    for (const key of ["app/dev/kept", "app/dev/old"]) await begin().set(key, "");
    const dying = begin();
    await expect(dying.create("app/dev/never", "").then(() => dying.set("app/dev/late", ""))).rejects.toThrow();
    adapter.values.delete("scope-engine:app/dev/never");
    await expect(begin().deleteMany(["app/dev/old"])).rejects.toThrow();
    expect(adapter.values.has("scope-engine:app/dev/old")).toBe(false);
    const after = begin();
    expect(await listed(after, "")).toEqual(["app/dev/kept"]);
    expect(await after.getMany(["app/dev/never", "app/dev/old"])).toEqual([undefined, undefined]);
    expect(await after.create("app/dev/never", "")).toBe(true);
    expect(await listed(after, "app/dev/")).toEqual(["app/dev/kept", "app/dev/never"]);
  });

  it("keeps asking for a value that was never written while it writes other keys", async () => {
    let isCut = false;
    const adapter = faultyAdapter((call, key) => isCut && call === "set" && key.endsWith("never") && cut());
    const store = keyvStoreAt(adapter);
    isCut = true;
    await expect(store.create("app/dev/never", "")).rejects.toMatchObject(failed);
    for (const key of ["app/dev/a", "app/dev/b"]) await store.create(key, "");
    expect(await listed(store, "")).toEqual(["app/dev/a", "app/dev/b"]);
    isCut = false;
    expect(await store.create("app/dev/never", "")).toBe(true);
  });

  it("knows that its value is gone when a delete took effect and its answer was lost", async () => {
    const adapter = faultyAdapter(() => {});
    const store = keyvStoreAt(adapter);
    await store.set(KEY, "value");
    const remove = adapter.delete;
    adapter.delete = async (key) => {
      await remove(key);
      return cut();
    };
    await expect(store.deleteMany([KEY])).rejects.toMatchObject(failed);
    await store.set("app/dev/other", "");
    expect([await listed(store, ""), await store.get(KEY)]).toEqual([["app/dev/other"], undefined]);
  });

  it("begins again if another client deleted everything", async () => {
    const map = new Map<string, unknown>();
    const store = keyvStoreAt(map);
    await store.set(KEY, "value");
    map.clear();
    await store.set(KEY, "value");
    expect(await listed(store, "")).toEqual([KEY]);
  });

  it.each(["=index", "=index/app/dev/"])("says so where its own list of keys is damaged (%s)", async (key) => {
    const map = new Map<string, unknown>();
    const store = keyvStoreAt(map);
    await store.set(KEY, "value");
    map.set(`scope-engine:${key}`, '{"value":"[1]"}');
    await expect(listed(store, "")).rejects.toMatchObject({ code: "STORE_FAILED" });
    map.set(`scope-engine:${key}`, '{"value":"{"}');
    await expect(listed(store, "")).rejects.toMatchObject({ code: "STORE_FAILED" });
  });

  it("refuses a value that is not a text", async () => {
    const keyv = new Keyv({ throwOnErrors: true });
    await keyv.set(KEY, 1);
    await expect(keyvStoreAt(keyv).get(KEY)).rejects.toMatchObject({
      code: "STORE_FAILED",
      message: expect.stringContaining("the value is a number, not a string"),
    });
  });

  it("notices that another Keyv moved the adapter to another namespace", async () => {
    const adapter = faultyAdapter(() => {});
    const store = keyvStoreAt(adapter);
    await store.set(KEY, "value");
    new Keyv({ store: adapter });
    await expect(store.get(KEY)).rejects.toMatchObject({
      code: "STORE_FAILED",
      message: expect.stringContaining("Give each Keyv its own adapter"),
    });
  });

  it("writes values that never expire, also once its Keyv was given a ttl", async () => {
    const keyv = new Keyv({ throwOnErrors: true });
    const store = keyvStoreAt(keyv);
    keyv.ttl = 1;
    await store.set(KEY, "value");
    expect(await keyv.getRaw(KEY)).toEqual({ value: "value" });
  });

  it("keeps apart two clients of one storage that create the same key at once", async () => {
    const map = new Map<string, unknown>();
    const clients = [
      keyvStoreAt(map),
      keyvStoreAt(new Keyv({ store: map, namespace: "scope-engine", throwOnErrors: true })),
    ];
    const answers = await Promise.all(clients.map((client) => client.create(KEY, "value")));
    expect(answers.sort()).toEqual([false, true]);
  });

  it("releases a Keyv that was handed over, and does not disconnect it", async () => {
    let isOpen = true;
    const disconnect = async () => {
      isOpen = false;
    };
    const adapter = Object.assign(
      faultyAdapter(() => {}),
      { disconnect },
    );
    const store = keyvStoreAt(adapter);
    expect(adapter.listenerCount("error")).toBe(1);
    await store.close();
    await store.close();
    expect([adapter.listenerCount("error"), isOpen]).toEqual([0, true]);
  });
});

describe("a service that does not answer", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  /** A run's store, and the warnings of the run. */
  function silent(hangs: () => boolean) {
    const adapter = faultyAdapter(() => {});
    const { get } = adapter;
    adapter.get = (key) => (hangs() ? new Promise(() => {}) : get(key));
    const warnings: string[] = [];
    const warn = (code: string, message: string): unknown => warnings.push(`${code} ${message}`);
    const store = keyvStore(adapter)({ appName: "app", stage: "dev", rootDir: "/", warn } as unknown as StoreContext);
    return { adapter, store, warnings };
  }

  it("and cannot be connected to fails the first call within 3 s, with the message of the adapter", async () => {
    const { adapter, store } = silent(() => true);
    const asked = store.get(KEY).catch(String);
    adapter.emit("error", new Error("connect ECONNREFUSED"));
    await vi.advanceTimersByTimeAsync(3_000);
    expect(await Promise.race([asked, "nothing"])).toContain("no answer within 2 s: connect ECONNREFUSED");
  });

  it("is reported after 2 s, and given up after 30 s", async () => {
    let hangs = false;
    const { adapter, store, warnings } = silent(() => hangs);
    await store.get(KEY);
    hangs = true;
    const asked = store.get(KEY).catch(String);
    adapter.emit("error", new Error("socket closed"));
    await vi.advanceTimersByTimeAsync(3_000);
    expect(warnings.at(-1)).toMatch(
      /^STORE_RETRIED .*no answer within 2 s: socket closed; the engine waits up to 30 s/,
    );
    expect(await Promise.race([asked, "nothing"])).toBe("nothing");
    await vi.advanceTimersByTimeAsync(28_000);
    expect(await asked).toContain("no answer within 30 s");
  });
});
