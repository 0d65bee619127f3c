import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../core/state/memory.js";
import { isGrowing } from "../../../core/state/store.js";
import { type OpenedStore, type StoreSuiteOptions, testStateStore } from "../../../core/testing/store-suite.js";
import { breaches, type Store } from "./store-breaches.js";

function whole(): Store {
  const store = memoryStore();
  if (!isGrowing(store)) throw new Error("The memory store grows.");
  return store;
}

/** Clients of one memory, each with the breach. */
function broken(breach: (store: Store) => Partial<Store>): () => OpenedStore {
  return () => {
    const shared = whole();
    const client = () => Object.assign({ ...shared }, breach({ ...shared }));
    return { store: client(), reopen: async () => client() };
  };
}

/** What a store fails, as `topic: title`. */
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
  testStateStore(runner, async () => open(), { largest: 10_000, ...options });
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
