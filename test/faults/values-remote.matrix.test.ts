/** Every recordable value is the same after it was in a store on another machine. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCodec } from "../../core/codec/index.js";
import type { StateStore } from "../../core/contract/index.js";
import { recordable } from "../helpers/apps/recordable.js";
import { fc } from "../helpers/checks/generated.js";
import { isLong } from "../helpers/checks/sampling.js";
import { type RemoteName, remoteStore } from "../helpers/stores/remote-stores.js";
import { makeTestBucket } from "../helpers/stores/s3-store.js";
import { emptyStore } from "../helpers/stores/store-contents.js";
import { describeWithPostgres } from "../servers/given-postgres.js";
import { describeWithRedis } from "../servers/given-redis.js";
import { describeWithS3 } from "../servers/given-s3.js";

const codec = createCodec();
const numRuns = isLong ? 5_000 : 200;

function keeps(name: RemoteName): void {
  let store: StateStore;
  beforeAll(() => {
    store = remoteStore(name, `values/${randomUUID()}`);
  });
  afterAll(async () => {
    await emptyStore(store);
    await store.close?.();
  });

  it("keeps any value, to the byte", async () => {
    let count = 0;
    await fc.assert(
      fc.asyncProperty(recordable, async (value) => {
        const text = JSON.stringify(codec.encode(value));
        const keys = [`app/dev/set/${++count}`, `app/dev/created/${count}`] as const;
        await store.set(keys[0], text);
        expect(await store.create(keys[1], text)).toBe(true);
        expect(await store.getMany([...keys])).toEqual([text, text]);
        const back = codec.decode(JSON.parse((await store.get(keys[1])) ?? ""));
        expect(JSON.stringify(codec.encode(back))).toBe(text);
      }),
      { numRuns },
    );
  });
}

describe("a store on another machine", () => {
  describeWithS3("in S3", () => {
    beforeAll(() => makeTestBucket());
    keeps("s3");
  });
  describeWithRedis("in Redis", () => keeps("redis"));
  describeWithPostgres("in PostgreSQL", () => keeps("postgres"));
});
