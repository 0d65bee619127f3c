/**
 * Stands in for AWS in its differences from the S3 server of the tests: conflicts of conditional writes, checksums,
 * pages, and the wording of its errors. It does not check signatures.
 */
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { AwsBucket } from "./aws-bucket.js";
import { type AwsErrorCode, awsError } from "./aws-errors.js";
import { type AwsReply, deleteObjects, getObject, listObjects, putObject } from "./aws-replies.js";
import { type AwsBody, type AwsRequest, readBody, readHead } from "./aws-request.js";
import { xmlDocument } from "./aws-xml.js";
import { freePort } from "./free-port.js";
import type { S3Settings } from "./variables.js";

export interface AwsDoubleOptions {
  /** The buckets at the start. */
  readonly buckets?: readonly string[];
  /** Maximum number of keys on a page of a list. Default: 1000. */
  readonly pageSize?: number;
}

export interface AwsDouble extends S3Settings {
  /** The requests so far. */
  readonly requests: readonly AwsRequest[];
  /** Set: answers a request with that error, unless it returns nothing. */
  refuse: ((request: AwsRequest) => AwsErrorCode | undefined) | undefined;
  /** Set: an object is put once the promise has resolved, so that a test can act meanwhile. */
  beforeWrite: ((request: AwsRequest) => Promise<unknown>) | undefined;
  stop(): Promise<void>;
}

export async function startAwsDouble(options: AwsDoubleOptions = {}): Promise<AwsDouble> {
  const { buckets: names = [], pageSize = 1000 } = options;
  const buckets = new Map(names.map((name) => [name, new AwsBucket()]));
  const requests: AwsRequest[] = [];

  const createBucket = (name: string): AwsReply | AwsErrorCode => {
    if (buckets.has(name)) return "BucketAlreadyOwnedByYou";
    buckets.set(name, new AwsBucket());
    return { status: 200, headers: { Location: `/${name}` } };
  };

  const write = async (bucket: AwsBucket, request: AwsRequest, coming: Promise<AwsBody>) => {
    const isConditional = request.header("if-none-match") !== undefined;
    if (isConditional && !bucket.begin(request.key)) return "ConditionalRequestConflict";
    try {
      const body = await coming;
      await double.beforeWrite?.(request);
      return putObject(bucket, request, body);
    } finally {
      if (isConditional) bucket.end(request.key);
    }
  };

  const answer = async (request: AwsRequest, coming: Promise<AwsBody>): Promise<AwsReply | AwsErrorCode> => {
    const { method, key, query, bucket: name } = request;
    const refused = double.refuse?.(request);
    if (refused !== undefined) return refused;
    if (method === "PUT" && key === "") return createBucket(name);
    const bucket = buckets.get(name);
    if (!bucket) return "NoSuchBucket";
    if (method === "POST" && query.has("delete")) return deleteObjects(bucket, await coming);
    if (method === "GET" && query.get("list-type") === "2") return listObjects(bucket, request, pageSize);
    if (method === "HEAD" && key === "") return { status: 200 };
    if (key === "" || query.has("uploads")) return "NotImplemented";
    switch (method) {
      case "PUT":
        return write(bucket, request, coming);
      case "GET":
      case "HEAD":
        return getObject(bucket, request);
      case "DELETE":
        bucket.delete(key);
        return { status: 204 };
      default:
        return "NotImplemented";
    }
  };

  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = readHead(message);
    requests.push(request);
    const coming = readBody(message, request);
    const reply = await answer(request, coming);
    // A refused request has sent its body anyway.
    await coming;
    send(response, request, typeof reply === "string" ? errorReply(reply, request) : reply);
  };

  const server = createServer((message, response) => {
    serve(message, response).catch(() => response.destroy());
  });
  const port = await freePort();
  server.listen(port, "127.0.0.1");
  await once(server, "listening");

  const double: AwsDouble = {
    endpoint: `http://127.0.0.1:${port}`,
    region: "us-east-1",
    accessKeyId: "test",
    secretAccessKey: "testsecret",
    requests,
    refuse: undefined,
    beforeWrite: undefined,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
  return double;
}

function errorReply(code: AwsErrorCode, request: AwsRequest): AwsReply {
  const { status, message, details = {}, headers = {} } = awsError(code, request);
  const content = Object.entries({ Code: code, Message: message, ...details, RequestId: "4442587FB7D0A2F9" });
  return { status, headers: { "Content-Type": "application/xml", ...headers }, body: xmlDocument("Error", content) };
}

function send(response: ServerResponse, { method }: AwsRequest, { status, headers = {}, body = "" }: AwsReply): void {
  const bytes = Buffer.from(body);
  const length = status === 204 ? {} : { "Content-Length": bytes.length };
  response.writeHead(status, { "x-amz-request-id": "4442587FB7D0A2F9", ...headers, ...length });
  response.end(method === "HEAD" ? undefined : bytes);
}
