import { describe, expect, it, vi } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { isGrowing } from "../../../core/contract/index.js";
import { testStateStore } from "../../../plugins/testing/index.js";
import { collect } from "../../../plugins/testing/store/case.js";

const runner = { describe, it };

describe("memoryStore", () => {
  testStateStore(runner, async () => ({ store: memoryStore() }), { grows: true, broken: false });
});

describe("memoryStore without append", () => {
  testStateStore(runner, async () => ({ store: memoryStore({ append: false }) }), { largest: 1_000, broken: false });
});

describe("memoryStore far away", () => {
  testStateStore(runner, async () => ({ store: memoryStore({ latency: 1 }) }), {
    grows: true,
    largest: 1_000,
    broken: false,
  });
});

describe("memoryStore, besides", () => {
  it("shares nothing with another one", async () => {
    const [one, other] = [memoryStore(), memoryStore()];
    await one.set("key", "value");
    expect(await other.get("key")).toBeUndefined();
  });

  it("lists sorted", async () => {
    const store = memoryStore();
    for (const key of ["b", "a/b", "a", "c"]) await store.set(key, "");
    expect(await collect(store.list(""))).toEqual(["a", "a/b", "b", "c"]);
  });

  it("takes effect in a microtask and not before", async () => {
    const store = memoryStore();
    const setting = store.set("key", "value");
    const [before, after] = await Promise.all([
      Promise.race([setting, "pending"]),
      setting.then(() => store.get("key")),
    ]);
    expect([before, after]).toEqual(["pending", "value"]);
  });

  it("takes as long as it is told to", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      let isRead = false;
      const reading = memoryStore({ latency: 20 }).get("key");
      void reading.then(() => (isRead = true));
      await vi.advanceTimersByTimeAsync(19);
      expect(isRead).toBe(false);
      await vi.advanceTimersByTimeAsync(1);
      expect(isRead).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });

  it("is named, local, and grows unless told not to", () => {
    expect(memoryStore()).toMatchObject({ name: "memory", local: true });
    expect(memoryStore({ name: "fake" }).name).toBe("fake");
    expect(isGrowing(memoryStore())).toBe(true);
    expect("append" in memoryStore({ append: false })).toBe(false);
  });
});
