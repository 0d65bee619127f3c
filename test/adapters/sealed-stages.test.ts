/** A stage that has a key, on each kind of store: runs seal their writes, and accept sealed records. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import { fsStoreAt } from "../../adapters/fs/index.js";
import { keyvStoreAt } from "../../adapters/keyv/index.js";
import { memoryStore } from "../../adapters/memory/index.js";
import type { StateStore } from "../../core/contract/index.js";
import { machineOfItsOwn } from "../helpers/processes/own-machine.js";
import { describeWithRedis } from "../servers/given-redis.js";
import { remote, seals } from "./sealed-stages.js";

machineOfItsOwn();
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sealed-stages-"));
});
afterAll(() => rm(folder, { recursive: true }));

const inFiles = (append: boolean) => () => {
  const root = join(folder, randomUUID());
  return () => fsStoreAt(root, { append });
};
const kept = (make: () => StateStore) => () => {
  const store = make();
  return () => store;
};

describe.each([
  ["files", inFiles(true)],
  ["files, an entry each change", inFiles(false)],
  ["memory", kept(memoryStore)],
  ["memory, an entry each change", kept(() => memoryStore({ append: false }))],
  ["Keyv", kept(() => keyvStoreAt(new Map()))],
])("a stage that has a key, in %s", (_, place) => seals(place));

describeWithRedis("a stage that has a key, in Redis", () => seals(remote("redis")));
