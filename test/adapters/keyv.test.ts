import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Keyv } from "keyv";
import { KeyvFile } from "keyv-file";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fsStoreAt } from "../../adapters/fs/index.js";
import { keyvStoreAt } from "../../adapters/keyv/index.js";
import { listed } from "../../plugins/testing/store/case.js";
import { emptyStore } from "../helpers/stores/store-contents.js";
import { conforms } from "./keyv-conforms.js";
import { leastAdapter } from "./keyv-least.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "keyv-store-"));
});
afterEach(() => rm(folder, { recursive: true }));

const inFile = () => new KeyvFile({ filename: join(folder, "state.json"), writeDelay: 1 });

// With few keys; the matrix lists more than a page holds, and also has a Map, files and the smallest possible adapter.
describe("keyvStoreAt a Keyv", () => conforms(() => new Keyv({ throwOnErrors: true }), { many: 50 }));

describe.each([
  ["keyv-file", inFile],
  ["files of ours", () => fsStoreAt(folder)],
])("keyvStoreAt %s, opened again", (_, make) => {
  it("finds existing values", async () => {
    const store = keyvStoreAt(make());
    for (const key of ["a/b/kept", "a/b/deleted", "c"]) await store.set(key, key);
    await store.deleteMany(["a/b/deleted"]);
    await store.create("a/b/created", "");
    const later = keyvStoreAt(make());
    expect(await later.getMany(["a/b/kept", "a/b/created", "c", "a/b/deleted"])).toEqual([
      "a/b/kept",
      "",
      "c",
      undefined,
    ]);
    expect(await listed(later, "")).toEqual(["a/b/created", "a/b/kept", "c"]);
    expect(await later.create("a/b/created", "")).toBe(false);
  });
});

describe("keyvStoreAt", () => {
  it("keeps values where Keyv does, within a namespace", async () => {
    const map = new Map<string, unknown>();
    await keyvStoreAt(map).set("app/dev/key", "value");
    expect(await new Keyv({ store: map, namespace: "scope-engine" }).get("app/dev/key")).toBe("value");
    await keyvStoreAt(map, { namespace: "other" }).set("app/dev/key", "another");
    expect(await new Keyv({ store: map, namespace: "other" }).get("app/dev/key")).toBe("another");
    expect(await keyvStoreAt(map).get("app/dev/key")).toBe("value");
  });

  it("leaves other values in the same place alone", async () => {
    const map = new Map<string, unknown>();
    const cache = new Keyv({ store: map });
    await cache.set("app/dev/key", "cached");
    const store = keyvStoreAt(map);
    await store.set("app/dev/key", "value");
    expect(await listed(store, "")).toEqual(["app/dev/key"]);
    await emptyStore(store);
    expect(await cache.get("app/dev/key")).toBe("cached");
  });

  it("keeps apart keys that Keyv takes for one, and those of its own index", async () => {
    const store = keyvStoreAt(new Map(), { namespace: "ns" });
    const keys = ["a", "ns:a", "ns:ns:a", "==ns:a", "=index", "=index/", "=index/a/b/", "a/b/c"].sort();
    for (const key of keys) expect(await store.create(key, `value of ${key}`)).toBe(true);
    expect(await store.getMany(keys)).toEqual(keys.map((key) => `value of ${key}`));
    expect(await listed(store, "")).toEqual(keys);
  });

  it("says where the state is, and whether other machines see it", () => {
    expect(keyvStoreAt(new Map())).toMatchObject({
      name: "keyv",
      location: 'Map, namespace "scope-engine"',
      local: true,
    });
    const keyv = new Keyv({ store: leastAdapter(), namespace: "team", throwOnErrors: true });
    expect(keyvStoreAt(keyv)).toMatchObject({ location: 'an adapter, namespace "team"' });
    expect("local" in keyvStoreAt(keyv)).toBe(false);
    expect(keyvStoreAt(new Map(), { location: "the memory" }).location).toBe("the memory");
  });
});
