import { CreateBucketCommand, GetObjectCommand, PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeWithS3, s3Settings } from "./given-s3.js";
import { startRgw } from "./rgw.js";
import { s3ClientOf } from "./s3-client.js";
import type { S3Server } from "./s3-server.js";

describeWithS3("an S3 server of a test's own", () => {
  const Bucket = "a-bucket";
  let server: S3Server;
  beforeAll(async () => {
    server = await startRgw();
    await s3ClientOf(server).send(new CreateBucketCommand({ Bucket }));
  });
  afterAll(() => server.stop());

  const put = async (Key: string, Body: string): Promise<unknown> =>
    s3ClientOf(server).send(new PutObjectCommand({ Bucket, Key, Body, IfNoneMatch: "*" }));
  const get = async (Key: string): Promise<string | undefined> => {
    const { Body } = await s3ClientOf(server).send(new GetObjectCommand({ Bucket, Key }));
    return Body?.transformToString();
  };

  it("is not the one that all share", () => {
    expect(server.endpoint).not.toBe(s3Settings()?.endpoint);
  });

  it("puts an object once", async () => {
    await put("once", "first");
    await expect(put("once", "second")).rejects.toMatchObject({ name: "PreconditionFailed" });
    expect(await get("once")).toBe("first");
  });

  it("keeps its objects through a kill", async () => {
    await put("kept", "value");
    await server.kill();
    await expect(get("kept")).rejects.toMatchObject({ code: "ECONNREFUSED" });
    await server.restart();
    expect(await get("kept")).toBe("value");
    await expect(put("kept", "other")).rejects.toMatchObject({ name: "PreconditionFailed" });
  });
});
