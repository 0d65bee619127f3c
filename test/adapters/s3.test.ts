import { randomUUID } from "node:crypto";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { beforeAll, describe, it } from "vitest";
import { s3StoreAt } from "../../adapters/s3.js";
import { testStateStore } from "../../core/testing/store-suite.js";

const s3 = {
  endpoint: process.env.TEST_S3_ENDPOINT ?? "",
  credentials: { accessKeyId: "test", secretAccessKey: "testsecret" },
};
const bucket = "conformance";
beforeAll(async () => {
  const client = new S3Client({ ...s3, region: "us-east-1", forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  client.destroy();
});
describe("s3StoreAt", () => {
  testStateStore({ describe, it }, async () => {
    const prefix = randomUUID();
    const open = () => s3StoreAt({ ...s3, bucket, prefix });
    const store = open();
    return {
      store,
      reopen: async () => open(),
      close: async () => {
        const s = open();
        await s.clear();
        await s.close();
      },
    };
  });
});
