/** Keyv's own tests for storage adapters, over each of our stores, and over a foreign one. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import keyvTestSuite, { keyvIteratorTests } from "@keyv/test-suite";
import { Keyv } from "keyv";
import pg from "pg";
import * as vitest from "vitest";
import { afterAll, beforeAll, describe } from "vitest";
import { fsStoreAt } from "../../adapters/fs/index.js";
import { asKeyvAdapter } from "../../adapters/keyv/index.js";
import type { KeyvStorageAdapter } from "../../adapters/kit/keyv-adapter.js";
import { memoryStore } from "../../adapters/memory/index.js";
import { postgresStoreAt } from "../../adapters/postgres/index.js";
import { redisStoreAt } from "../../adapters/redis/index.js";
import { makeTestBucket, s3TestStore } from "../helpers/stores/s3-store.js";
import { emptyStore } from "../helpers/stores/store-contents.js";
import { describeWithPostgres } from "../servers/given-postgres.js";
import { describeWithRedis } from "../servers/given-redis.js";
import { describeWithS3 } from "../servers/given-s3.js";

/** @param open another client of the same values; Keyv's tests make one for each Keyv, and close none */
function passesKeyvSuite(open: () => KeyvStorageAdapter): void {
  const opened: KeyvStorageAdapter[] = [];
  const another = () => {
    const store = open();
    opened.push(store);
    return store;
  };
  afterAll(async () => {
    await emptyStore(another());
    for (const store of opened) await store.close?.();
  });
  keyvTestSuite(vitest, Keyv, another);
  keyvIteratorTests(vitest, Keyv, another);
}

describe("memoryStore", () => passesKeyvSuite(() => memoryStore()));

describe("a foreign store, with asKeyvAdapter()", () => {
  const { get, getMany, set, deleteMany, create, list } = memoryStore();
  passesKeyvSuite(() => asKeyvAdapter({ name: "theirs", get, getMany, set, deleteMany, create, list }));
});

describe.each([
  ["fsStoreAt", {}],
  ["fsStoreAt without append", { append: false }],
  ["fsStoreAt with full durability", { durability: "full" }],
] as const)("%s", (_, options) => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "keyv-suite-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  passesKeyvSuite(() => fsStoreAt(folder, options));
});

describeWithRedis("redisStoreAt", (url) => {
  passesKeyvSuite(() => redisStoreAt({ url, prefix: `keyv-suite-${process.pid}:` }));
});

describeWithPostgres("postgresStoreAt", (url) => {
  // The suite closes no store.
  const pool = new pg.Pool({ connectionString: url });
  afterAll(() => pool.end());
  passesKeyvSuite(() => postgresStoreAt({ pool, table: `keyv-suite-${process.pid}` }));
});

describeWithS3("s3StoreAt", () => {
  beforeAll(() => makeTestBucket());
  passesKeyvSuite(() => s3TestStore(`keyv-suite-${process.pid}`));
});
