/** The conformance suite for stores, on those that come with the package. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { memoryStore } from "scope-engine";
import { fsStoreAt } from "scope-engine/adapters/fs";
import { testStateStore } from "scope-engine/testing";

async function inFolder(options) {
  const root = await mkdtemp(join(tmpdir(), "scope-engine-store-"));
  const open = () => fsStoreAt(root, options);
  return { store: open(), reopen: async () => open(), close: () => rm(root, { recursive: true, force: true }) };
}

const onFile = (options) => ({ "its root is a file": () => fsStoreAt(fileURLToPath(import.meta.url), options) });

export function define(runner) {
  runner.describe("in memory", () =>
    testStateStore(runner, async () => ({ store: memoryStore() }), { grows: true, broken: false }),
  );
  runner.describe("in files that grow", () =>
    testStateStore(runner, () => inFolder({}), { grows: true, broken: onFile({}) }),
  );
  runner.describe("in files", () =>
    testStateStore(runner, () => inFolder({ append: false }), { broken: onFile({ append: false }) }),
  );
}
