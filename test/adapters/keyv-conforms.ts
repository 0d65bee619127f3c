import { fileURLToPath } from "node:url";
import { describe, it } from "vitest";
import { fsStoreAt } from "../../adapters/fs/index.js";
import { type KeyvLike, keyvStoreAt } from "../../adapters/keyv/index.js";
import { type StoreSuiteOptions, testStateStore } from "../../plugins/testing/index.js";

/** All clients are over one object: Keyv cannot separate the clients of two. */
export function conforms(make: () => KeyvLike, suite: StoreSuiteOptions = {}): void {
  const open = async () => {
    const source = make();
    return { store: keyvStoreAt(source), reopen: async () => keyvStoreAt(source) };
  };
  const broken = { "its adapter throws": () => keyvStoreAt(fsStoreAt(fileURLToPath(import.meta.url))) };
  testStateStore({ describe, it }, open, { broken, ...suite });
}
