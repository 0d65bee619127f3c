import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import { isGrowing } from "../../../core/contract/index.js";
import { type OpenedStore, type StoreSuiteOptions, testStateStore } from "../../../plugins/testing/index.js";
import { breaches, type Store } from "./store-breaches.js";

function whole(): Store {
  const store = memoryStore();
  if (!isGrowing(store)) throw new Error("The memory store grows.");
  return store;
}

/** A client that rejects everything because it reaches no service. */
function unreachable(): Store {
  const refuse = () => Promise.reject(new Error("refused"));
  const refuseAll = () => ({ [Symbol.asyncIterator]: () => ({ next: refuse }) });
  const { name } = whole();
  const one = { get: refuse, set: refuse, create: refuse, append: refuse };
  return { name, ...one, getMany: refuse, deleteMany: refuse, list: refuseAll };
}

/** Clients of one memory, each with the breach. */
function broken(breach: (store: Store) => Partial<Store>): () => OpenedStore {
  return () => {
    const shared = whole();
    const client = () => Object.assign({ ...shared }, breach({ ...shared }));
    return { store: client(), reopen: async () => client() };
  };
}

/** Failed cases of a store, as `topic: title`. */
async function failures(open: () => OpenedStore, options: StoreSuiteOptions): Promise<string[]> {
  const tests: { readonly title: string; readonly body: () => Promise<void> }[] = [];
  let topic = "";
  const runner = {
    describe: (title: string, body: () => void) => {
      topic = title;
      body();
    },
    it: (title: string, body: () => Promise<void>) => tests.push({ title: `${topic}: ${title}`, body }),
  };
  testStateStore(runner, async () => open(), { largest: 10_000, broken: false, ...options });
  const failed = new Set<string>();
  for (const test of tests) await test.body().catch(() => failed.add(test.title));
  return [...failed];
}

describe("testStateStore", () => {
  it("lets a sound store pass", async () => {
    expect(await failures(() => ({ store: whole() }), { grows: true })).toEqual([]);
    expect(
      await failures(
        broken(() => ({})),
        { grows: true },
      ),
    ).toEqual([]);
  });

  it("asks for a client whose service cannot be reached, and lets one pass that rejects everything", async () => {
    const sound = { grows: true, broken: undefined };
    expect(await failures(() => ({ store: whole() }), sound)).toEqual(["broken: is tried"]);
    expect(
      await failures(() => ({ store: whole() }), { grows: true, broken: { "nobody answers": unreachable } }),
    ).toEqual([]);
  });

  it.each<[name: string, answer: Partial<Store>]>([
    ["get", { get: async () => undefined }],
    ["getMany", { getMany: async (keys) => keys.map(() => undefined) }],
    ["list", { async *list() {} }],
    ["set", { set: async () => {} }],
    ["create", { create: async () => false }],
    ["append", { append: async () => false }],
    ["deleteMany", { deleteMany: async () => false }],
  ])("finds a store out whose %s swallows errors", async (name, answer) => {
    const broken = { "nobody answers": () => Object.assign(unreachable(), answer) };
    const found = await failures(() => ({ store: whole() }), { grows: true, broken });
    expect(found).toEqual([expect.stringMatching(`^broken: nobody answers: rejects ${name},`)]);
  });

  it.each(Object.entries(breaches))("finds a store out that %s", async (_, { caught, breach }) => {
    const found = await failures(broken(breach), { grows: true });
    expect(found.filter((title) => title.startsWith(caught))).not.toEqual([]);
  });

  it("finds a store out that has append and should not, and one that lacks it", async () => {
    expect(await failures(() => ({ store: whole() }), { grows: false })).toEqual(["append: has no append"]);
    const lacking = await failures(() => ({ store: memoryStore({ append: false }) }), { grows: true });
    expect(new Set(lacking.map((title) => title.split(":")[0]))).toEqual(new Set(["append"]));
  });
});
