import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { isGrowing } from "../../../core/contract/index.js";
import { aroundStore } from "../../../core/state/index.js";
import { collect } from "../../../plugins/testing/store/case.js";

function noting(append = true) {
  const noted: string[] = [];
  const inner = memoryStore({ append });
  const store = aroundStore(inner, async ({ operation, key }, make) => {
    noted.push(`${operation} ${key}`);
    return make();
  });
  return { inner, store, noted };
}

describe("a store whose requests go through plugins", () => {
  it("has each of them told, by what it is and by its key, and makes it", async () => {
    const { inner, store, noted } = noting();
    expect(await store.create("a", "1")).toBe(true);
    expect(await store.create("a", "2")).toBe(false);
    await store.set("b", "3");
    expect(await inner.get("b")).toBe("3");
    if (!isGrowing(store)) throw new Error("It does not let anything grow.");
    expect(await store.append("a", "4", "z")).toBe(true);
    expect([await store.get("a"), await store.getMany(["a", "b"])]).toEqual(["14", ["14", "3"]]);
    expect((await collect(store.list(""))).sort()).toEqual(["a", "b"]);
    await store.deleteMany(["a", "b"]);
    expect(await inner.getMany(["a", "b"])).toEqual([undefined, undefined]);
    expect(noted).toEqual([
      "create a",
      "create a",
      "set b",
      "append a",
      "get a",
      "getMany undefined",
      "list ",
      "deleteMany undefined",
    ]);
  });

  it("lets nothing grow where the store does not", () => {
    expect(isGrowing(noting(false).store)).toBe(false);
  });
});
