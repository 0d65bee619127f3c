import { rejects } from "node:assert/strict";
import { isGrowing, type StateStore } from "../../../core/contract/index.js";
import { collect } from "./case.js";

/** What a client does that cannot do what it is asked. */
export interface BrokenCase {
  readonly title: string;
  run(store: StateStore): Promise<unknown>;
}

const KEY = "app/dev/journal/000000000001";

/** An answer would be taken for what is there: absence is a fact, and so is what was written. */
const calls: Readonly<Record<string, (store: StateStore) => unknown>> = {
  get: (store) => store.get(KEY),
  getMany: (store) => store.getMany([KEY]),
  list: (store) => collect(store.list("app/dev/")),
  set: (store) => store.set(KEY, "1"),
  create: (store) => store.create(KEY, "1"),
  append: (store) => isGrowing(store) && store.append(KEY, "1", "app/dev/journal/000000000002"),
  deleteMany: (store) => store.deleteMany([KEY]),
};

export const brokenCases: readonly BrokenCase[] = Object.entries(calls).map(([name, call]) => ({
  title: `rejects ${name}, and never says that nothing is there`,
  async run(store) {
    if (name === "append" && !isGrowing(store)) return;
    await rejects(async () => call(store), `${name} answered, although nobody could have been asked.`);
  },
}));

export function notTried(): Promise<never> {
  const message =
    'testStateStore() needs the option `broken`, with functions that open clients which cannot do what they are asked, as in { broken: { "nobody answers": () => tableStoreAt(nowhere) } }; or `broken: false` for a store that nothing can keep from its work, such as one in memory.';
  return Promise.reject(new Error(message));
}
