import { describe, it } from "vitest";
import { type KeyvSource, keyvStoreAt } from "../../adapters/keyv.js";
import { type StoreSuiteOptions, testStateStore } from "../../core/testing/store-suite.js";

/** All clients are over one object: Keyv cannot keep apart those of two. */
export function conforms(make: () => KeyvSource, suite: StoreSuiteOptions = {}): void {
  const open = async () => {
    const source = make();
    return { store: keyvStoreAt(source), reopen: async () => keyvStoreAt(source) };
  };
  testStateStore({ describe, it }, open, suite);
}
