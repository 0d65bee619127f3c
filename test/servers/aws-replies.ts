/** Replies of S3, except errors. */
import type { AwsBucket, AwsObject } from "./aws-bucket.js";
import type { AwsErrorCode } from "./aws-errors.js";
import type { AwsBody, AwsRequest } from "./aws-request.js";
import { textsOf, type Xml, xmlDocument } from "./aws-xml.js";

export interface AwsReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

/** Maximum number of keys on one page, and in one request that deletes several. */
const most = 1000;

export function putObject(bucket: AwsBucket, { key, header }: AwsRequest, body: AwsBody): AwsReply | AwsErrorCode {
  if (!body.isSound) return "BadDigest";
  const done = bucket.put(key, body.bytes, {
    crc32: body.crc32,
    ifNoneMatch: header("if-none-match") !== undefined,
    ifMatch: header("if-match"),
  });
  return typeof done === "string" ? done : { status: 200, headers: { ETag: done.etag, ...checksum(done) } };
}

export function getObject(bucket: AwsBucket, { key, header }: AwsRequest): AwsReply | AwsErrorCode {
  const object = bucket.get(key);
  if (!object) return "NoSuchKey";
  const wanted = header("x-amz-checksum-mode") === "ENABLED" ? checksum(object) : {};
  return { status: 200, headers: { ETag: object.etag, ...wanted }, body: object.body };
}

export function deleteObjects(bucket: AwsBucket, body: AwsBody): AwsReply | AwsErrorCode {
  if (!body.hasChecksum) return "InvalidRequest";
  if (!body.isSound) return "BadDigest";
  const xml = body.bytes.toString();
  const keys = textsOf(xml, "Key");
  if (keys.length === 0 || keys.length > most) return "MalformedXML";
  for (const key of keys) bucket.delete(key);
  const told = textsOf(xml, "Quiet").includes("true") ? [] : keys;
  return document(
    "DeleteResult",
    told.map((key) => ["Deleted", [["Key", key]]] as const),
  );
}

export function listObjects(bucket: AwsBucket, { query, bucket: name }: AwsRequest, pageSize: number): AwsReply {
  const prefix = query.get("prefix") ?? "";
  const size = Math.min(Number(query.get("max-keys") ?? most), pageSize);
  const token = query.get("continuation-token");
  // Opaque to clients.
  const after = token === null ? (query.get("start-after") ?? undefined) : Buffer.from(token, "base64url").toString();
  const { keys, next } = bucket.list(prefix, after, size);
  return document("ListBucketResult", [
    ["Name", name],
    ["Prefix", prefix],
    ["MaxKeys", `${size}`],
    ["KeyCount", `${keys.length}`],
    ["IsTruncated", `${next !== undefined}`],
    ...(next === undefined ? [] : [["NextContinuationToken", Buffer.from(next).toString("base64url")] as const]),
    ...keys.map((key) => ["Contents", contents(key, bucket.get(key))] as const),
  ]);
}

function contents(key: string, object: AwsObject | undefined): Xml {
  return [
    ["Key", key],
    ["LastModified", "2026-01-01T00:00:00.000Z"],
    ["ETag", object?.etag ?? ""],
    ["Size", `${object?.body.length ?? 0}`],
    ["StorageClass", "STANDARD"],
  ];
}

function checksum({ crc32 }: AwsObject): Record<string, string> {
  return { "x-amz-checksum-crc32": crc32, "x-amz-checksum-type": "FULL_OBJECT" };
}

function document(root: string, content: Xml): AwsReply {
  return { status: 200, headers: { "Content-Type": "application/xml" }, body: xmlDocument(root, content) };
}
