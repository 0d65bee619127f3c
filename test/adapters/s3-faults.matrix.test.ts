/** Every operation of the bucket, met by each fault of the network. */
import { afterEach, describe, expect, it } from "vitest";
import type { S3Store } from "../../adapters/s3/index.js";
import { listed } from "../../plugins/testing/store/case.js";
import { script } from "../faults/proxy/plans.js";
import { s3TestStore } from "../helpers/stores/s3-store.js";
import { describeWithS3 } from "../servers/given-s3.js";
import { answersTruly } from "./faulty-store.js";
import { ATTEMPT, faults, faultyBucket, isPost, isPut, isRead } from "./s3-faulty.js";

describeWithS3("a bucket behind a network that fails at any operation", (settings) => {
  const bucket = faultyBucket(settings);

  answersTruly(bucket, { faults, isRead, isWrite: isPut, limit: ATTEMPT });

  it.each(faults)("writes, reads and deletes as requested: %j", async (fault) => {
    bucket.proxy.plan = script([fault], isPut);
    await bucket.store.set("app/dev/there", "new");
    expect(await bucket.direct.get("app/dev/there")).toBe("new");
    // A bucket takes a late copy of an unconditional write for a new one.
    await bucket.proxy.settled();
    bucket.proxy.plan = script([fault], ({ kind }) => kind === "DELETE");
    expect(await bucket.store.deleteMany(["app/dev/there"])).toBe(true);
    expect(await bucket.direct.get("app/dev/there")).toBeUndefined();
    expect(await bucket.store.deleteMany(["app/dev/there"])).toBe(false);
  });

  it.each(faults)("deletes many, and all of them: %j", async (fault) => {
    for (const key of ["a", "b", "c"]) await bucket.direct.set(`app/dev/${key}`, key);
    bucket.proxy.plan = script([fault], isPost);
    expect(await bucket.store.deleteMany(["app/dev/a", "app/dev/b", "app/dev/absent"])).toBe(true);
    expect(bucket.proxy.counts.byKind.DELETE).toBeUndefined();
    expect(await listed(bucket.direct, "app/dev/")).toEqual(["app/dev/c", "app/dev/there"]);
  });

  describe("that stays down", () => {
    const impatient = (): S3Store =>
      s3TestStore(bucket.prefix, { endpoint: bucket.proxy.url, requestTimeout: 300, retryTimeout: 1_500 });
    const operations = (down: S3Store) => ({
      get: () => down.get("app/dev/there"),
      getMany: () => down.getMany(["app/dev/there"]),
      set: () => down.set("app/dev/there", ""),
      deleteMany: () => down.deleteMany(["app/dev/there"]),
      create: () => down.create("app/dev/1", ""),
      list: () => listed(down, "app/"),
    });
    afterEach(() => bucket.proxy.up());

    it("fails each request, and never says that something is absent", async () => {
      for (const name of Object.keys(operations(bucket.store))) {
        const down = impatient();
        expect(await down.get("app/dev/there")).toBe("old");
        await bucket.proxy.down();
        await expect(Object.entries(operations(down)).find(([one]) => one === name)?.[1]()).rejects.toMatchObject({
          code: "STORE_FAILED",
          message: expect.stringMatching(
            /^Could not .* in s3:\/\/scope-engine-tests\/faults\/.*: .*connect ECONNREFUSED/,
          ),
        });
        await bucket.proxy.up();
        await down.close();
      }
    });
  });
});
