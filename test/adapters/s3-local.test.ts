/** What fails before the store is asked: it fails at once, in bounded time, and says what to correct. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { type S3StoreOptions, s3StoreAt } from "../../adapters/s3/index.js";

const credentials = { accessKeyId: "key", secretAccessKey: "secret" };
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function portOf(server: Server): Promise<number> {
  servers.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** What a read fails with, and after how many milliseconds. */
async function failing(options: Partial<S3StoreOptions>): Promise<{ message: string; after: number }> {
  const store = s3StoreAt({ bucket: "state", region: "eu-west-1", credentials, retryTimeout: 60_000, ...options });
  const began = performance.now();
  const error: unknown = await store.get("app/dev/1").catch((reason) => reason);
  await store.close();
  expect(error).toMatchObject({ code: "STORE_FAILED" });
  return { message: String(error), after: performance.now() - began };
}

describe("what is wrong on this side", () => {
  // The SDK is loaded with the first request, which is no part of any time that is held here.
  beforeAll(() => failing({ endpoint: "http://127.0.0.1:1", retryTimeout: 1 }));

  it.each<[string, Partial<S3StoreOptions>, RegExp]>([
    ["a bucket with its scheme", { bucket: "s3://state" }, /InvalidBucketName.*Correct \{ bucket \}/],
    ["a bucket with a folder", { bucket: "state/team" }, /Correct \{ bucket \}.*\{ prefix \}/],
    ["an ARN that is none", { bucket: "arn:aws:s3:eu-west-1:1:nope" }, /Invalid ARN.*Correct \{ bucket \}/],
    ["a region that is none", { region: "eu west 1" }, /Region not accepted.*Correct .*\{ region \}/],
    [
      "credentials that nobody gives",
      { credentials: () => Promise.reject(new Error("vault is sealed")) },
      /vault is sealed\. .*\{ credentials \}/,
    ],
    ["credentials without keys", { credentials: async () => Object.create(null) }, /\{ credentials \}/],
    ["a setting that no header can hold", { kmsKeyId: "a\nb" }, /ERR_INVALID_CHAR/],
  ])("is not tried again: %s", async (_what, options, advice) => {
    const { message, after } = await (options.kmsKeyId ? failingWrite(options) : failing(options));
    expect(message).toMatch(advice);
    expect(after).toBeLessThan(2_000);
  });

  async function failingWrite(options: Partial<S3StoreOptions>) {
    const store = s3StoreAt({ bucket: "state", endpoint: "http://127.0.0.1:1", credentials, ...options });
    const began = performance.now();
    const error: unknown = await store.set("app/dev/1", "").catch((reason) => reason);
    await store.close();
    return { message: String(error), after: performance.now() - began };
  }

  it("is a certificate that is not trusted, too", async () => {
    const folder = await mkdtemp(join(tmpdir(), "s3-tls-"));
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const about = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=other"];
    await promisify(execFile)("openssl", ["req", ...about, "-keyout", key, "-out", cert]);
    const port = await portOf(createServer({ key: await readFile(key), cert: await readFile(cert) }));
    await rm(folder, { recursive: true });
    const { message, after } = await failing({ endpoint: `https://127.0.0.1:${port}` });
    expect(message).toMatch(/DEPTH_ZERO_SELF_SIGNED_CERT.*certificate is not trusted: .*NODE_EXTRA_CA_CERTS/);
    expect(after).toBeLessThan(2_000);
  });

  it("is TLS with a port that speaks none", async () => {
    const port = await portOf(createTcpServer((socket) => socket.on("error", () => {}).end("HTTP/1.1 400 No\r\n\r\n")));
    const { message, after } = await failing({ endpoint: `https://127.0.0.1:${port}` });
    expect(message).toMatch(/EPROTO.*speaks no TLS: write http:\/\//);
    expect(after).toBeLessThan(2_000);
  });

  it("does not hold a run for ever: credentials that never come", async () => {
    const waiting = { credentials: () => new Promise<never>(() => {}), requestTimeout: 100, retryTimeout: 1_500 };
    const { message, after } = await failing(waiting);
    expect(message).toMatch(/after \d attempts in .*TimeoutError: no answer within 100 ms/);
    expect(after).toBeLessThan(8_000);
  });
});
