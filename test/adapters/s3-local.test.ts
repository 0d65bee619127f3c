/** Failures before the first request: they cause no retry, and the message says what to correct. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
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

/** Longer than a test may take: a test times out if the store retries. */
const ENDLESS = 600_000;

/** The message of a read that fails, or of a write. */
async function failing(options: Partial<S3StoreOptions>, isWrite = false): Promise<string> {
  const store = s3StoreAt({ bucket: "state", region: "eu-west-1", credentials, retryTimeout: ENDLESS, ...options });
  const asked = isWrite ? store.set("app/dev/1", "") : store.get("app/dev/1");
  const error: unknown = await asked.catch((reason) => reason);
  await store.close();
  expect(error).toMatchObject({ code: "STORE_FAILED" });
  return String(error);
}

describe("a local mistake", () => {
  it.each<[string, Partial<S3StoreOptions>, RegExp]>([
    ["a bucket with its scheme", { bucket: "s3://state" }, /InvalidBucketName.*Correct \{ bucket \}/],
    ["a bucket with a folder", { bucket: "state/team" }, /Correct \{ bucket \}.*\{ prefix \}/],
    ["an ARN that is none", { bucket: "arn:aws:s3:eu-west-1:1:nope" }, /Invalid ARN.*Correct \{ bucket \}/],
    ["a region that is none", { region: "eu west 1" }, /Region not accepted.*Correct .*\{ region \}/],
    [
      "credentials that cannot be read",
      { credentials: () => Promise.reject(new Error("vault is sealed")) },
      /vault is sealed\. .*\{ credentials \}/,
    ],
    [
      "an expired session of SSO",
      {
        credentials: () =>
          Promise.reject(Object.assign(new Error("The SSO session has expired"), { name: "CredentialsProviderError" })),
      },
      /The credentials have expired or are not valid\. Renew them \(for SSO: aws sso login\)/,
    ],
    ["credentials without keys", { credentials: async () => Object.create(null) }, /\{ credentials \}/],
    ["a setting that no header can hold", { kmsKeyId: "a\nb" }, /ERR_INVALID_CHAR/],
  ])("is not tried again: %s", async (_what, options, advice) => {
    const isWrite = options.kmsKeyId !== undefined;
    const message = await failing(isWrite ? { endpoint: "http://127.0.0.1:1", ...options } : options, isWrite);
    expect(message).toMatch(advice);
    expect(message).not.toMatch(/after \d+ attempts/);
  });

  it("is a certificate that is not trusted, too", async () => {
    const folder = await mkdtemp(join(tmpdir(), "s3-tls-"));
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const about = ["-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=other"];
    await promisify(execFile)("openssl", ["req", ...about, "-keyout", key, "-out", cert]);
    const port = await portOf(createServer({ key: await readFile(key), cert: await readFile(cert) }));
    await rm(folder, { recursive: true });
    const message = await failing({ endpoint: `https://127.0.0.1:${port}` });
    expect(message).toMatch(/DEPTH_ZERO_SELF_SIGNED_CERT.*certificate is not trusted\. .*NODE_EXTRA_CA_CERTS/);
    expect(message).not.toMatch(/after \d+ attempts/);
  });

  it("is TLS with a port that speaks none", async () => {
    const port = await portOf(createTcpServer((socket) => socket.on("error", () => {}).end("HTTP/1.1 400 No\r\n\r\n")));
    const message = await failing({ endpoint: `https://127.0.0.1:${port}` });
    expect(message).toMatch(/EPROTO.*does not use TLS, write http:\/\//);
    expect(message).not.toMatch(/after \d+ attempts/);
  });

  it("does not hold a run for ever: credentials that never come", async () => {
    const waiting = { credentials: () => new Promise<never>(() => {}), requestTimeout: 100, retryTimeout: 1_500 };
    expect(await failing(waiting)).toMatch(/TimeoutError: no answer within 100 ms/);
  });
});
