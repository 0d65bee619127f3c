/**
 * Answers of servers that are not S3: a sign-in page, a web console, a load balancer. The store never accepts them as
 * its own.
 */
import { createServer, type Server } from "node:http";
import { createServer as createTcpServer } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { S3Store } from "../../adapters/s3/index.js";
import { listed } from "../../plugins/testing/store/case.js";
import { storeOn } from "../helpers/stores/local-s3.js";

const PAGE = "<html><head><title>Sign in</title></head><body><p>Who are you?</p></body></html>";
const LOOSE_PAGE = "<!doctype html><html><link rel=stylesheet href=a.css><body><p>Sign in<br></html>";

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const operations: Readonly<Record<string, (store: S3Store) => Promise<unknown>>> = {
  get: (store) => store.get("app/dev/1"),
  create: (store) => store.create("app/dev/1", "value"),
  set: (store) => store.set("app/dev/1", "value"),
  deleteMany: (store) => store.deleteMany(["app/dev/1"]),
  list: (store) => listed(store, "app/"),
};

describe("an answer that is not from S3", () => {
  let server: Server;
  let store: S3Store;
  afterEach(async () => {
    vi.useRealTimers();
    await store.close();
    server.close();
    server.closeAllConnections();
  });

  /** A store whose time stands still. @param takes milliseconds of it that each answer takes. Default: all of it */
  async function standing({ status, headers = {}, body = "" }: Answer, takes = 60_000): Promise<S3Store> {
    vi.useFakeTimers({ toFake: ["performance"] });
    server = createServer((request, response) => {
      vi.advanceTimersByTime(takes);
      request.resume().on("end", () => response.writeHead(status, headers).end(body));
    });
    store = await storeOn(server, { retryTimeout: 60_000 });
    return store;
  }

  describe.each<[string, Answer]>([
    ["a page", { status: 200, headers: { "Content-Type": "text/html" }, body: PAGE }],
    ["a page that is no XML", { status: 200, headers: { "Content-Type": "text/html" }, body: LOOSE_PAGE }],
    ["JSON", { status: 200, body: '{"message":"ok"}' }],
    ["nothing", { status: 200 }],
    ["no content", { status: 204 }],
  ])("and answers with %s", (_what, answer) => {
    it.each(Object.keys(operations))("has not done it, and proves no absence: %s", async (name) => {
      const asked = operations[name]?.(await standing(answer));
      await expect(asked).rejects.toMatchObject({
        code: "STORE_FAILED",
        message: expect.stringMatching(/answer is not from S3.*Check \{ endpoint \}/),
      });
    });
  });

  it("and falls silent is reported by its last answer", async () => {
    // The store's time stands still until the second request uses all of it.
    vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
    let asked = 0;
    server = createServer((request, response) => {
      request.resume();
      if (++asked === 1) response.writeHead(503).end("<Error><Code>SlowDown</Code></Error>");
      else vi.advanceTimersByTime(1_200);
    });
    store = await storeOn(server, { retryTimeout: 1_200 });
    await expect(store.get("app/dev/1")).rejects.toMatchObject({
      code: "STORE_FAILED",
      message: expect.stringMatching(/after 2 attempts in 1\.2 s.*HTTP 503/),
    });
    expect(asked).toBe(2);
  });

  it.each<[Answer, RegExp]>([
    [{ status: 404, body: PAGE }, /HTTP 404\. The answer is not from S3/],
    [{ status: 404, body: "<Error><Code>NoSuchBucket</Code></Error>" }, /: HTTP 404, NoSuchBucket\. The bucket/],
    [{ status: 404 }, /: HTTP 404\. The answer is not from S3/],
    [{ status: 400, body: LOOSE_PAGE }, /: HTTP 400\. The answer is not from S3/],
    [{ status: 403, body: LOOSE_PAGE }, /: HTTP 403\. The answer is not from S3/],
    [{ status: 412, body: LOOSE_PAGE }, /: HTTP 412\. The answer is not from S3/],
    [{ status: 403 }, /Grant s3:PutObject/],
    [
      { status: 301, headers: { Location: "https://storage.example/state?token=secret" } },
      /The address redirects to https:\/\/storage\.example\. Check \{ endpoint \}/,
    ],
    [{ status: 301, headers: { "x-amz-bucket-region": "eu-west-3" } }, /Set the region to "eu-west-3"/],
  ])("is named by what it says: %j", async (answer, words) => {
    const error: unknown = await (await standing(answer)).create("app/dev/1", "value").catch((reason) => reason);
    expect(error).toMatchObject({ code: "STORE_FAILED", message: expect.stringMatching(words) });
    expect(String(error)).not.toMatch(/Deserialization|UnknownError|token/);
  });

  it("and is busy is retried for as long as there is time, and named by its answer, too", async () => {
    const busy = await standing({ status: 502, body: LOOSE_PAGE }, 20_000);
    let requests = 0;
    server.prependListener("request", () => void requests++);
    const error: unknown = await busy.create("app/dev/1", "value").catch((reason) => reason);
    expect(error).toMatchObject({
      code: "STORE_FAILED",
      message: expect.stringContaining("after 3 attempts in 60 s: HTTP 502. The answer is not from S3"),
    });
    expect(String(error)).not.toMatch(/Deserialization|UnknownError/);
    expect(requests).toBe(3);
  });

  it.each([
    ["has a tag of its own", '"5d41402abc4b2a76b9719d911017c592"'],
    ["has the tag of several parts", '"5d41402abc4b2a76b9719d911017c592-2"'],
  ])("is not taken for an object that holds nothing, though it says OK and %s", async (_, tag) => {
    await expect((await standing({ status: 200, headers: { ETag: tag } })).get("app/dev/1")).rejects.toMatchObject({
      code: "STORE_FAILED",
      message: expect.stringMatching(/answer is not from S3\. It may be from a proxy/),
    });
  });

  it("may be an object that is empty indeed", async () => {
    const headers = { ETag: '"d41d8cd98f00b204e9800998ecf8427e"' };
    expect(await (await standing({ status: 200, headers })).get("app/dev/1")).toBe("");
  });

  it("does not end a list early, for want of where the next page begins", async () => {
    const list = "<ListBucketResult><Name>state</Name><IsTruncated>true</IsTruncated></ListBucketResult>";
    await expect(listed(await standing({ status: 200, body: list }), "app/")).rejects.toThrow(/not from S3/);
  });
});

describe("an endpoint that does not speak HTTP", () => {
  it("is reported at once, and not retried for as long as a store that is down", async () => {
    let asked = 0;
    const server = createTcpServer((socket) => {
      asked++;
      socket.on("error", () => {}).end("SSH-2.0-OpenSSH_9.7\r\n");
    });
    const store = await storeOn(server);
    try {
      await expect(store.get("app/dev/1")).rejects.toMatchObject({
        code: "STORE_FAILED",
        message: expect.stringMatching(/The answer is not HTTP\. Check the port in \{ endpoint \}/),
      });
      expect(asked).toBe(1);
    } finally {
      await store.close();
      server.close();
    }
  });
});
