/** Services that are S3 in all but the conditional write, on which everything rests. */
import { CreateBucketCommand, PutBucketVersioningCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { s3Store, s3StoreAt } from "../../adapters/s3/index.js";
import { createEngine } from "../../core/engine/engine.js";
import { listed } from "../../core/testing/store/case.js";
import { describeWithS3 } from "../servers/given-s3.js";
import { describeWithSwift } from "../servers/given-swift.js";
import { s3ClientOf } from "../servers/s3-client.js";
import type { S3Server } from "../servers/s3-server.js";
import { startS3rver } from "../servers/s3rver.js";
import type { S3Settings } from "../servers/variables.js";

/** Makes a bucket, and a stage in it. */
async function makeStage(settings: S3Settings, bucket: string, isVersioned = false): Promise<void> {
  const client = s3ClientOf(settings);
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  if (isVersioned) {
    const VersioningConfiguration = { Status: "Enabled" } as const;
    await client.send(new PutBucketVersioningCommand({ Bucket: bucket, VersioningConfiguration }));
  }
  client.destroy();
  const stateStore = s3Store(optionsFor(settings, bucket));
  const app = await createEngine({ plugins: [] })("app", { stage: "dev", stateStore, argv: [], env: {} });
  await app.set("key", "value");
  await app.finalize();
}

function optionsFor({ endpoint, accessKeyId, secretAccessKey }: S3Settings, bucket: string) {
  return { bucket, endpoint, credentials: { accessKeyId, secretAccessKey } };
}

/** Nobody may take what was written there for a state. */
async function leftIn(settings: S3Settings, bucket: string): Promise<string[]> {
  const store = s3StoreAt(optionsFor(settings, bucket));
  const keys = await listed(store, "");
  await store.close();
  return keys;
}

describe("a store that ignores the condition", () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await startS3rver();
  });
  afterAll(() => server.stop());

  it("is refused when a stage is made, with what to use instead", async () => {
    await expect(makeStage(server, "ignoring")).rejects.toMatchObject({
      code: "RUN_FAILED",
      cause: {
        code: "STORE_NOT_ATOMIC",
        message: expect.stringMatching(
          /s3:\/\/ignoring at http.*overwrites what exists.*AWS S3.*Ceph RGW.*redisStore/s,
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

describeWithSwift("a store that does not know the condition", (settings) => {
  it("is refused when a stage is made, with what to use instead", async () => {
    await expect(makeStage(settings, "refusing")).rejects.toMatchObject({
      cause: {
        code: "STORE_NOT_ATOMIC",
        message: expect.stringMatching(
          /has no conditional writes \(If-None-Match: it answers 501\).*AWS S3.*redisStore/,
        ),
      },
    });
    expect(await leftIn(settings, "refusing")).toEqual([]);
  });
});
