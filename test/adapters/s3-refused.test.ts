/** Services that are S3 except for the conditional write, which the store relies on. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeWithS3 } from "../servers/given-s3.js";
import type { S3Server } from "../servers/s3-server.js";
import { startS3rver } from "../servers/s3rver.js";
import { leftIn, makeStage } from "./s3-stage.js";

describe("a store that ignores the condition", () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await startS3rver();
  });
  afterAll(() => server.stop());

  it("is refused when a stage is made, with an alternative", async () => {
    await expect(makeStage(server, "ignoring")).rejects.toMatchObject({
      name: "RunFailedError",
      cause: {
        code: "STORE_NOT_ATOMIC",
        message: expect.stringMatching(
          /s3:\/\/ignoring at http.*overwrites existing keys.*AWS S3.*Ceph RGW.*redisStore/s,
        ),
      },
    });
    expect((await leftIn(server, "ignoring")).length).toBeLessThanOrEqual(1);
  });
});

describeWithS3("a bucket in which the condition is ignored", (settings) => {
  it("is refused as well: Ceph does so where versions are kept", async () => {
    await expect(makeStage(settings, `versioned-${process.pid}`, true)).rejects.toMatchObject({
      cause: { code: "STORE_NOT_ATOMIC" },
    });
  });
});
