/** Every operation of the bucket, met by each fault of the network. */
import { expect, it } from "vitest";
import { listed } from "../../core/testing/store-case.js";
import { script, seededFaults } from "../faults/proxy/plans.js";
import { describeWithS3 } from "../servers/given-s3.js";
import { faults, faultyBucket, isPost, isPut, isRead } from "./s3-faulty.js";

describeWithS3("a bucket behind a network that fails at any operation", (settings) => {
  const bucket = faultyBucket(settings);

  it.each(faults)("knows that another was there before, be it with the same value: %j", async (fault) => {
    await bucket.direct.create("app/dev/created", "value");
    for (const key of ["app/dev/there", "app/dev/created"]) {
      bucket.proxy.plan = script([fault], isPut);
      expect(await bucket.store.create(key, key === "app/dev/there" ? "old" : "value")).toBe(false);
    }
  });

  it.each(faults)("writes, reads and deletes what it says: %j", async (fault) => {
    bucket.proxy.plan = script([fault], isPut);
    await bucket.store.set("app/dev/there", "new");
    expect(await bucket.direct.get("app/dev/there")).toBe("new");
    // A bucket takes a late repetition of an unconditional write for a new one.
    await bucket.proxy.settled();
    bucket.proxy.plan = script([fault], ({ kind }) => kind === "DELETE");
    expect(await bucket.store.delete("app/dev/there")).toBe(true);
    expect(await bucket.direct.has("app/dev/there")).toBe(false);
    expect(await bucket.store.delete("app/dev/there")).toBe(false);
  });

  it.each(faults)("deletes many, and all of them: %j", async (fault) => {
    await bucket.direct.setMany(["a", "b", "c"].map((key) => ({ key: `app/dev/${key}`, value: key })));
    bucket.proxy.plan = script([fault], isPost);
    expect(await bucket.store.deleteMany(["app/dev/a", "app/dev/b", "app/dev/absent"])).toBe(true);
    // On a busy machine an answer may come too late once more.
    expect(bucket.proxy.counts.byKind.POST).toBeLessThanOrEqual(4);
    expect(await listed(bucket.direct, "app/dev/")).toEqual(["app/dev/c", "app/dev/there"]);
  });

  it.each(faults)("reads what is there, and nothing else: %j", async (fault) => {
    const asks = [
      async () => expect(await bucket.store.get("app/dev/there")).toBe("old"),
      async () => expect(await bucket.store.get("app/dev/absent")).toBeUndefined(),
      async () => expect(await bucket.store.getMany(["app/dev/there", "a"])).toEqual(["old", undefined]),
      async () => expect(await bucket.store.has("app/dev/there")).toBe(true),
      async () => expect(await listed(bucket.store, "app/dev/")).toEqual(["app/dev/there"]),
    ];
    for (const ask of asks) {
      bucket.proxy.plan = script([fault], isRead);
      await ask();
    }
  });

  it.each([2, 3])(
    "has one creator of each key, whatever happens to a third of all requests (seed %i)",
    async (seed) => {
      bucket.proxy.plan = seededFaults(seed, 0.33, faults);
      const clients = [bucket.through(60), bucket.through(60), bucket.through(60)];
      const keys = Array.from({ length: 12 }, (_, index) => `app/dev/${String(index).padStart(2, "0")}`);
      try {
        for (const key of keys) {
          const answers = await Promise.all(clients.map((client, index) => client.create(key, `by ${index}`)));
          expect(answers.filter(Boolean)).toHaveLength(1);
          expect(await bucket.direct.get(key)).toBe(`by ${answers.indexOf(true)}`);
        }
      } finally {
        for (const client of clients) await client.close();
      }
      bucket.proxy.plan = undefined;
      await bucket.proxy.settled();
      expect(await listed(bucket.direct, "app/dev/")).toEqual([...keys, "app/dev/there"]);
    },
  );
});
