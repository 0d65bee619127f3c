import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import KeyvRedis from "@keyv/redis";
import { Keyv } from "keyv";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { fsStoreAt } from "../../adapters/fs/index.js";
import { keyvStore, keyvStoreAt } from "../../adapters/keyv/index.js";
import { listed } from "../../plugins/testing/store/case.js";

const bareAdapter = { get: () => {}, set: () => {}, delete: () => {}, clear: () => {} };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "keyv-options-"));
});
afterEach(() => rm(folder, { recursive: true }));

describe("refused options", () => {
  const refused = (message: string) => ({ code: "INVALID_OPTION", message: expect.stringContaining(message) });

  it.each<[string, () => unknown, string]>([
    ["a Keyv that hides errors", () => keyvStoreAt(new Keyv()), "throwOnErrors: true"],
    [
      "a Keyv whose values expire",
      () => keyvStoreAt(new Keyv({ ttl: 1000, throwOnErrors: true })),
      "expire after 1000 ms",
    ],
    [
      "an adapter that hides errors",
      () => keyvStoreAt(new KeyvRedis("redis://localhost")),
      "new KeyvRedis(…, { throwOnErrors: true })",
    ],
    [
      "an adapter without a class that hides errors",
      () => keyvStoreAt({ ...bareAdapter, throwOnErrors: false } as never),
      "Create the adapter with { throwOnErrors: true }.",
    ],
    [
      "a Keyv over an adapter that hides errors",
      () => keyvStoreAt(new Keyv({ store: new KeyvRedis("redis://localhost"), throwOnErrors: true })),
      "new KeyvRedis(",
    ],
    [
      "a namespace beside that of a Keyv",
      () => keyvStoreAt(new Keyv({ throwOnErrors: true }), { namespace: "a" }),
      '"namespace" is only for a storage adapter or a Map. A Keyv has its own namespace',
    ],
    [
      "a Keyv whose adapter another Keyv has given another namespace",
      () => {
        const store = fsStoreAt(folder);
        const keyv = new Keyv({ store, namespace: "state", throwOnErrors: true });
        new Keyv({ store, namespace: "cache" });
        return keyvStoreAt(keyv);
      },
      'the namespace of its adapter is "cache"',
    ],
    ["an empty namespace", () => keyvStore(new Map(), { namespace: "" }), '"namespace" of keyvStore()'],
    ["an option that there is not", () => keyvStore(new Map(), { name: "a" } as object), 'no option "name"'],
    ["what is no adapter", () => keyvStoreAt({ get: () => {} } as never), "needs a Keyv"],
    ["nothing", () => keyvStoreAt(undefined as never), "needs a Keyv"],
  ])("%s", (_, make, message) => {
    expect(make).toThrow(expect.objectContaining(refused(message)));
  });

  it("a Keyv of another copy of the package that hides errors", () => {
    const { opts, ...rest } = new Keyv();
    const foreign = {
      ...rest,
      opts,
      get: async () => {},
      set: async () => true,
      delete: async () => true,
      clear: async () => {},
    };
    expect(() => keyvStoreAt(foreign)).toThrow(expect.objectContaining(refused("throwOnErrors: true")));
  });
});

it("takes an adapter over which Keyv itself cannot be made", async () => {
  const bare = Object.assign(fsStoreAt(folder), { opts: {} });
  expect(() => new Keyv({ store: bare })).toThrow(TypeError);
  const store = keyvStoreAt(bare);
  await store.set("app/dev/key", "value");
  expect(await listed(store, "")).toEqual(["app/dev/key"]);
});

it("gives an adapter its namespace, whatever another Keyv has given it before", () => {
  const adapter = fsStoreAt(folder);
  expect(() => new Keyv({ store: adapter })).not.toThrow();
  keyvStoreAt(adapter);
  expect(adapter.namespace).toBe("scope-engine");
  keyvStoreAt(adapter, { namespace: "team" });
  expect(adapter.namespace).toBe("team");
});
