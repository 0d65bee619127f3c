/** A request to S3, parsed. */
import { createHash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { crc32 } from "node:zlib";
import type { AwsContext } from "./aws-errors.js";

export interface AwsRequest extends AwsContext {
  readonly method: string;
  readonly query: URLSearchParams;
  header(name: string): string | undefined;
}

export interface AwsBody {
  readonly bytes: Buffer;
  /** Base64 of the CRC32, as AWS puts it into headers. */
  readonly crc32: string;
  /** False: the checksum that came with it does not match. */
  readonly isSound: boolean;
  readonly hasChecksum: boolean;
}

/** The parts that are known before the body. */
export function readHead(message: IncomingMessage): AwsRequest {
  const { pathname, searchParams: query } = new URL(message.url ?? "/", "http://s3");
  const [, bucket = "", ...parts] = pathname.split("/").map(decodeURIComponent);
  const key = parts.join("/");
  const header = (name: string): string | undefined => {
    const value = message.headers[name];
    return Array.isArray(value) ? value.join(",") : value;
  };
  const method = message.method ?? "GET";
  const accessKeyId = /Credential=([^/]+)/.exec(header("authorization") ?? "")?.[1] ?? "";
  return { method, bucket, key, query, header, accessKeyId, action: actionOf(method, key, query) };
}

/** The action that a policy has to allow. */
function actionOf(method: string, key: string, query: URLSearchParams): string {
  if (query.has("delete")) return "s3:DeleteObject";
  if (key === "") return method === "PUT" ? "s3:CreateBucket" : "s3:ListBucket";
  switch (method) {
    case "PUT":
      return "s3:PutObject";
    case "DELETE":
      return "s3:DeleteObject";
    default:
      return "s3:GetObject";
  }
}

export async function readBody(message: IncomingMessage, { header }: AwsRequest): Promise<AwsBody> {
  const raw = await buffer(message);
  const isChunked = header("content-encoding")?.split(",").includes("aws-chunked") ?? false;
  const { bytes, trailers } = isChunked ? dechunked(raw) : { bytes: raw, trailers: new Map<string, string>() };
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(bytes));
  const actual = sum.toString("base64");
  const expected = header("x-amz-checksum-crc32") ?? trailers.get("x-amz-checksum-crc32");
  const md5 = header("content-md5");
  const isMd5 = md5 === undefined || md5 === createHash("md5").update(bytes).digest("base64");
  return {
    bytes,
    crc32: actual,
    isSound: (expected === undefined || expected === actual) && isMd5,
    hasChecksum: expected !== undefined || md5 !== undefined,
  };
}

/** Bodies of unknown length come in chunks, followed by their checksum. */
function dechunked(raw: Buffer): { readonly bytes: Buffer; readonly trailers: ReadonlyMap<string, string> } {
  const pieces: Buffer[] = [];
  for (let at = 0; ; ) {
    const end = raw.indexOf("\r\n", at);
    const size = Number.parseInt(raw.toString("latin1", at, end), 16);
    if (!(size > 0)) {
      const lines = raw.toString("latin1", end + 2).split("\r\n");
      const trailers = lines
        .map((line) => line.split(/:(.*)/s))
        .map(([name = "", value = ""]) => [name, value] as const);
      return { bytes: Buffer.concat(pieces), trailers: new Map(trailers) };
    }
    pieces.push(raw.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}
