import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { gate } from "../helpers/time/gate.js";
import { type AwsDouble, startAwsDouble } from "./aws-double.js";
import type { AwsErrorCode } from "./aws-errors.js";
import { s3ClientOf } from "./s3-client.js";

const Bucket = "a-bucket";
const md5 = (text: string): string => `"${createHash("md5").update(text).digest("hex")}"`;

describe("the double of AWS", () => {
  let double: AwsDouble;
  let client: S3Client;
  beforeEach(async () => {
    double = await startAwsDouble({ buckets: [Bucket], pageSize: 3 });
    client = s3ClientOf(double);
  });
  afterEach(() => double.stop());

  const put = (Key: string, Body: string | Readable, more: object = {}) =>
    client.send(new PutObjectCommand({ Bucket, Key, Body, ...more }));
  const get = async (Key: string) => {
    const { Body, ...rest } = await client.send(new GetObjectCommand({ Bucket, Key, ChecksumMode: "ENABLED" }));
    return { ...rest, text: await Body?.transformToString() };
  };

  it("returns stored values, with quoted ETags and checksums", async () => {
    const key = "a b/c+d%/ü&<>";
    expect(await put(key, "välue")).toMatchObject({ ETag: md5("välue"), ChecksumType: "FULL_OBJECT" });
    const { ETag, text, ChecksumCRC32 } = await get(key);
    expect({ ETag, text, ChecksumCRC32 }).toEqual({ ETag: md5("välue"), text: "välue", ChecksumCRC32: "Llh5Bg==" });
    expect(await client.send(new HeadObjectCommand({ Bucket, Key: key }))).toMatchObject({ ContentLength: 6 });
    await client.send(new DeleteObjectCommand({ Bucket, Key: key }));
    await expect(get(key)).rejects.toMatchObject({ name: "NoSuchKey" });
    await expect(client.send(new HeadObjectCommand({ Bucket, Key: key }))).rejects.toMatchObject({ name: "NotFound" });
  });

  it("takes bodies of unknown length, whose checksum comes behind", async () => {
    await put("stream", Readable.from(["one ", "two"]), { ContentLength: 7 });
    expect((await get("stream")).text).toBe("one two");
  });

  it("refuses a body that does not match its checksum", async () => {
    await expect(put("key", "value", { ChecksumCRC32: "AAAAAA==" })).rejects.toMatchObject({ name: "BadDigest" });
    await expect(put("key", "value", { ContentMD5: md5("x") })).rejects.toMatchObject({ name: "BadDigest" });
    await expect(get("key")).rejects.toMatchObject({ name: "NoSuchKey" });
  });

  it("puts an object once, where that is the condition", async () => {
    await put("key", "first", { IfNoneMatch: "*" });
    await expect(put("key", "second", { IfNoneMatch: "*" })).rejects.toMatchObject({
      name: "PreconditionFailed",
      $metadata: { httpStatusCode: 412 },
    });
    await put("key", "third", { IfMatch: md5("first") });
    await expect(put("key", "fourth", { IfMatch: md5("first") })).rejects.toMatchObject({ name: "PreconditionFailed" });
    expect((await get("key")).text).toBe("third");
  });

  describe("while a conditional write is under way", () => {
    const conflict = { name: "ConditionalRequestConflict", $metadata: { httpStatusCode: 409 } };
    /** A conditional write that continues when the gate is opened. */
    async function begun() {
      const [come, goOn] = [gate(), gate()];
      double.beforeWrite = () => {
        come.open();
        return goOn.opened;
      };
      const done = put("key", "first", { IfNoneMatch: "*" });
      await come.opened;
      return { done, goOn };
    }

    it("has a conflict for another one", async () => {
      const { done, goOn } = await begun();
      await expect(put("key", "second", { IfNoneMatch: "*" })).rejects.toMatchObject(conflict);
      goOn.open();
      await done;
      expect((await get("key")).text).toBe("first");
    });

    it("has a conflict for it where the object is deleted", async () => {
      const { done, goOn } = await begun();
      await client.send(new DeleteObjectCommand({ Bucket, Key: "key" }));
      goOn.open();
      await expect(done).rejects.toMatchObject(conflict);
    });

    it("lets it find the object of an unconditional one", async () => {
      const { done, goOn } = await begun();
      double.beforeWrite = undefined;
      await put("key", "second");
      goOn.open();
      await expect(done).rejects.toMatchObject({ name: "PreconditionFailed" });
    });
  });

  it("lists in pages, in the order of bytes", async () => {
    const keys = ["p/10", "p/2", "p/b", "p/A", "p/ü", "p/&", "p/z", "q"];
    await Promise.all(keys.map((key) => put(key, key)));
    const pages: string[][] = [];
    let token: string | undefined;
    do {
      const page = await client.send(
        new ListObjectsV2Command({ Bucket, Prefix: "p/", ContinuationToken: token, MaxKeys: 1000 }),
      );
      pages.push(page.Contents?.map(({ Key = "" }) => Key) ?? []);
      token = page.NextContinuationToken;
    } while (token !== undefined);
    expect(pages).toEqual([["p/&", "p/10", "p/2"], ["p/A", "p/b", "p/z"], ["p/ü"]]);
  });

  it("deletes several, where a checksum is there", async () => {
    await Promise.all(["a", "b&", "c"].map((key) => put(key, key)));
    const Delete = { Objects: [{ Key: "a" }, { Key: "b&" }, { Key: "absent" }] };
    const { Deleted } = await client.send(new DeleteObjectsCommand({ Bucket, Delete }));
    expect(Deleted?.map(({ Key }) => Key)).toEqual(["a", "b&", "absent"]);
    expect((await client.send(new ListObjectsV2Command({ Bucket }))).KeyCount).toBe(1);
    const body = "<Delete><Object><Key>c</Key></Object></Delete>";
    const bare = await fetch(`${double.endpoint}/${Bucket}?delete`, { method: "POST", body });
    expect(bare.status).toBe(400);
    expect(await bare.text()).toContain("Missing required header for this request: Content-MD5 OR x-amz-checksum-*");
  });

  it("knows its buckets", async () => {
    const New = { Bucket: "new" };
    await expect(client.send(new ListObjectsV2Command(New))).rejects.toMatchObject({ name: "NoSuchBucket" });
    await client.send(new CreateBucketCommand(New));
    await client.send(new HeadBucketCommand(New));
    await expect(client.send(new CreateBucketCommand(New))).rejects.toMatchObject({ name: "BucketAlreadyOwnedByYou" });
  });

  it.each([
    ["NoSuchBucket", 404, "does not exist"],
    ["PermanentRedirect", 301, "must be addressed using the specified endpoint"],
    ["AuthorizationHeaderMalformed", 400, "the region 'us-east-1' is wrong; expecting 'eu-central-1'"],
    ["ExpiredToken", 400, "token has expired"],
    ["InvalidAccessKeyId", 403, "does not exist in our records"],
    ["AccessDenied", 403, 'perform: s3:PutObject on resource: "arn:aws:s3:::a-bucket/key"'],
    ["RequestTimeTooSkewed", 403, "too large"],
    ["SignatureDoesNotMatch", 403, "does not match the signature"],
    ["NotImplemented", 501, "not implemented"],
    ["SlowDown", 503, "reduce your request rate"],
    ["InternalError", 500, "internal error"],
  ] satisfies [AwsErrorCode, number, string][])("refuses with %s on demand", async (name, httpStatusCode, message) => {
    double.refuse = ({ action }) => (action === "s3:PutObject" ? name : undefined);
    await expect(put("key", "value")).rejects.toMatchObject({
      name,
      message: expect.stringContaining(message),
      $metadata: { httpStatusCode },
    });
    expect(double.requests.map(({ action }) => action)).toEqual(["s3:PutObject"]);
    expect((await client.send(new ListObjectsV2Command({ Bucket }))).KeyCount).toBe(0);
  });

  it("tells in a header where a bucket is", async () => {
    double.refuse = () => "PermanentRedirect";
    await expect(put("key", "value")).rejects.toMatchObject({
      $response: { headers: { "x-amz-bucket-region": "eu-central-1" } },
      Endpoint: "a-bucket.s3.eu-central-1.amazonaws.com",
    });
  });
});
