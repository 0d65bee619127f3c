/** The promises to Keyv, over the stores that `keyv-adapter.test.ts` does not have. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe } from "vitest";
import { fsStoreAt } from "../../adapters/fs/index.js";
import { keyvStoreAt } from "../../adapters/keyv/index.js";
import { redisStoreAt } from "../../adapters/redis/index.js";
import type { StateStore } from "../../core/contract/index.js";
import type { OpenedStore } from "../../plugins/testing/index.js";
import { makeTestBucket, s3TestStore } from "../helpers/stores/s3-store.js";
import { emptyStore } from "../helpers/stores/store-contents.js";
import { describeWithRedis } from "../servers/given-redis.js";
import { describeWithS3 } from "../servers/given-s3.js";
import { keepsPromisesToKeyv } from "./keyv-adapter-cases.js";

describe("over files that do not grow", () =>
  keepsPromisesToKeyv(async () => {
    const folder = await mkdtemp(join(tmpdir(), "keyv-adapter-"));
    const open = () => fsStoreAt(folder, { append: false });
    return { store: open(), reopen: async () => open(), close: () => rm(folder, { recursive: true }) };
  }));

describe("over a store in Keyv", () =>
  keepsPromisesToKeyv(() => {
    const map = new Map<string, unknown>();
    return { store: keyvStoreAt(map), reopen: async () => keyvStoreAt(map) };
  }));

/** @param open another client of the same values */
function remote(open: () => StateStore): OpenedStore {
  const close = async () => {
    const store = open();
    await emptyStore(store);
    await store.close?.();
  };
  return { store: open(), reopen: async () => open(), close };
}

describeWithRedis("over Redis", (url) => {
  let prefixes = 0;
  keepsPromisesToKeyv(() => {
    const options = { url, prefix: `keyv-adapter-${process.pid}-${++prefixes}:` };
    return remote(() => redisStoreAt(options));
  });
});

describeWithS3("over a bucket", () => {
  beforeAll(() => makeTestBucket());
  keepsPromisesToKeyv(() => {
    const prefix = randomUUID();
    return remote(() => s3TestStore(prefix));
  });
});
