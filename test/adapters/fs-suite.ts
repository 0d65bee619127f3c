/** The contract of stores, checked against folders, one for each store. */
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, it } from "vitest";
import { type FsStoreOptions, fsStoreAt } from "../../adapters/fs/index.js";
import { type StoreSuiteOptions, testStateStore } from "../../plugins/testing/index.js";

export function fsSuite(title: string, options: FsStoreOptions, suite: StoreSuiteOptions): void {
  const open = async () => {
    const root = await realpath(await mkdtemp(join(tmpdir(), "fs-store-")));
    const close = () => rm(root, { recursive: true });
    return { store: fsStoreAt(root, options), reopen: async () => fsStoreAt(root, options), close };
  };
  const broken = { "its root is a file": () => fsStoreAt(fileURLToPath(import.meta.url), options) };
  describe(title, () => testStateStore({ describe, it }, open, { broken, ...suite }));
}
