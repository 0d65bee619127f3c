/**
 * The bucket behind a network that fails: whatever happens to a request, each object is made once and reported truly.
 */
import { afterEach, describe, expect, it } from "vitest";
import type { S3Store } from "../../adapters/s3/index.js";
import { script } from "../faults/proxy/plans.js";
import { s3TestStore } from "../helpers/stores/s3-store.js";
import { describeWithS3 } from "../servers/given-s3.js";
import { raceForKeys } from "./faulty-store.js";
import { ATTEMPT, faults, faultyBucket, isPut } from "./s3-faulty.js";

describeWithS3("a bucket behind a network that fails", (settings) => {
  const bucket = faultyBucket(settings);

  it.each(faults)("creates once, and knows that it did: %j", async (fault) => {
    bucket.proxy.plan = script([fault], isPut);
    expect(await bucket.store.create("app/dev/1", "value")).toBe(true);
    expect(bucket.proxy.counts.faults[fault.kind]).toBe(1);
    expect(await bucket.direct.create("app/dev/1", "value")).toBe(false);
    await bucket.proxy.settled();
    expect(await bucket.direct.get("app/dev/1")).toBe("value");
  });

  it("says once that it tries again", async () => {
    bucket.proxy.plan = script([{ kind: "slow-down" }, { kind: "error" }, undefined, { kind: "error" }]);
    await bucket.store.set("app/dev/a", "1");
    await bucket.store.set("app/dev/b", "1");
    expect(bucket.warned).toEqual(["STORE_RETRIED"]);
  });

  it("is not sure of an object that was deleted before it could look, and says so", async () => {
    // The first attempt takes effect without an answer, and its object is deleted; the third one meets another client's
    // object, which is gone by then, too.
    let puts = 0;
    bucket.proxy.plan = ({ kind }) => {
      if (kind === "PUT") return ++puts === 1 ? { kind: "reset-after" } : { kind: "says", reply: PRECONDITION_FAILED };
      return { kind: "says", reply: NO_SUCH_KEY };
    };
    await expect(bucket.store.create("app/dev/1", "value")).rejects.toMatchObject({
      code: "STORE_FAILED",
      message: expect.stringContaining("another run may have created and deleted it in the meantime"),
    });
  });

  it("has one creator of each key, whatever happens to a third of all requests", () =>
    raceForKeys(bucket, faults, 1, ATTEMPT));

  describe("that stays down", () => {
    const impatient = (): S3Store =>
      s3TestStore(bucket.prefix, { endpoint: bucket.proxy.url, requestTimeout: 300, retryTimeout: 1_500 });
    afterEach(() => bucket.proxy.up());

    it("delays only one request, and is used again once it answers", async () => {
      const down = impatient();
      await bucket.proxy.down();
      await expect(down.get("app/dev/there")).rejects.toMatchObject({ code: "STORE_FAILED" });
      // There was one attempt, so the message gives no number of attempts.
      await expect(down.set("app/dev/there", "")).rejects.toMatchObject({
        code: "STORE_FAILED",
        message: expect.not.stringContaining("attempts"),
      });
      await bucket.proxy.up();
      expect(await down.get("app/dev/there")).toBe("old");
      bucket.proxy.plan = script([{ kind: "error" }]);
      expect(await down.get("app/dev/there")).toBe("old");
      await down.close();
    });

    it("that never answers is given up as one that refuses", async () => {
      const down = impatient();
      bucket.proxy.plan = () => ({ kind: "timeout" });
      await expect(down.get("app/dev/there")).rejects.toMatchObject({
        message: expect.stringContaining("TimeoutError: no answer within"),
      });
      await down.close();
    });
  });
});

const PRECONDITION_FAILED = answer(412, "PreconditionFailed");
const NO_SUCH_KEY = answer(404, "NoSuchKey");

function answer(status: number, code: string): string {
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>as told</Message></Error>`;
  return `HTTP/1.1 ${status} Told\r\nContent-Type: application/xml\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}
