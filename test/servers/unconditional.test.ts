/** Two kinds of S3 that do not put an object only where there is none, each in its way. */
import { CreateBucketCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeWithSwift } from "./given-swift.js";
import { s3ClientOf } from "./s3-client.js";
import type { S3Server } from "./s3-server.js";
import { startS3rver } from "./s3rver.js";
import type { S3Settings } from "./variables.js";

async function putTwice(settings: S3Settings): Promise<void> {
  const client = s3ClientOf(settings);
  const Bucket = "a-bucket";
  await client.send(new CreateBucketCommand({ Bucket }));
  for (const Body of ["first", "second"]) {
    await client.send(new PutObjectCommand({ Bucket, Key: "key", Body, IfNoneMatch: "*" }));
  }
}

describe("an S3 that knows no conditions", () => {
  let server: S3Server;
  beforeAll(async () => {
    server = await startS3rver();
  });
  afterAll(() => server.stop());

  it("puts an object again", async () => {
    await putTwice(server);
  });
});

describeWithSwift("an S3 that refuses conditions", (settings) => {
  it("answers that it does not implement them", async () => {
    await expect(putTwice(settings)).rejects.toMatchObject({
      name: "NotImplemented",
      $metadata: { httpStatusCode: 501 },
    });
  });
});
