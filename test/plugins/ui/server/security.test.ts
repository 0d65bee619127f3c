import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { platform, setPlatform } from "../../../../core/base/index.js";
import { KEY_HEADER } from "../../../../plugins/ui/api/index.js";
import { startServer, type UiServer } from "../../../../plugins/ui/server/index.js";
import { allRuns } from "../../../../plugins/ui/sources/index.js";
import { ask, HTML, tokenIn, type Visitor, visit } from "../asking.js";

let server: UiServer;
let own: Visitor;
const json = "application/json";

beforeAll(async () => {
  const source = { label: "nothing", runs: allRuns([]), redact: (text: string) => text };
  server = await startServer(source, { html: HTML });
  own = await visit(server.url());
});
afterAll(() => server.close());

const origin = (): string => `http://127.0.0.1:${server.port}`;
const exchange = (token: unknown, headers: Readonly<Record<string, string | undefined>> = {}) =>
  ask(server.port, "/api/session", {
    method: "POST",
    headers: { origin: origin(), "content-type": json, ...headers },
    body: { token },
  });

describe("the server of the page answers", () => {
  test("a visitor with its token, by a cookie that no script and no other site gets", async () => {
    expect(await own.get("/api/about")).toMatchObject({
      status: 200,
      json: { source: "events", allowsChanges: false },
    });
    const { status, headers } = await exchange(tokenIn(server.url()));
    expect(status).toBe(200);
    expect(headers["set-cookie"]?.[0]).toMatch(
      new RegExp(`^engine-ui-${server.port}-\\w{12}=[\\w-]{43}; HttpOnly; SameSite=Strict; Path=/$`),
    );
  });

  test("with headers that keep all of it to itself", async () => {
    for (const path of ["/", "/api/about", "/api/none", "/none"]) {
      const { headers } = await own.get(path);
      expect([path, headers]).toMatchObject([
        path,
        {
          "cache-control": "no-store",
          "x-content-type-options": "nosniff",
          "referrer-policy": "no-referrer",
          "cross-origin-resource-policy": "same-origin",
          "content-security-policy": expect.stringMatching(/^default-src 'none'.*frame-ancestors 'none'/),
        },
      ]);
      expect(headers["access-control-allow-origin"]).toBeUndefined();
    }
  });

  test("the page alone without a cookie, whose own script and style run and no other", async () => {
    const { status, text, headers } = await ask(server.port, "/");
    expect([status, text]).toEqual([200, HTML]);
    const policy = headers["content-security-policy"];
    expect(policy).toMatch(/script-src 'sha256-[^' ]{44}'; style-src 'sha256-[^' ]{44}';/);
    expect(policy).toMatch(
      /img-src data:; base-uri 'none'; form-action 'none'; connect-src 'self'; frame-ancestors 'none'$/,
    );
  });
});

describe("the server of the page refuses", () => {
  test("who has no token, a guessed one, or no session", async () => {
    for (const token of ["", "x".repeat(43), tokenIn(server.url()).slice(1), undefined]) {
      expect((await exchange(token)).status).toBe(401);
    }
    const { cookie, [KEY_HEADER]: key } = own.own;
    const guessed = cookie.replace(/=.*/, `=${"x".repeat(43)}`);
    for (const other of [undefined, "", guessed, cookie.replace("engine", "other")]) {
      expect((await ask(server.port, "/api/about", { headers: { cookie: other, [KEY_HEADER]: key } })).status).toBe(
        401,
      );
      expect((await ask(server.port, "/api/stages", { headers: { cookie: other, [KEY_HEADER]: key } })).status).toBe(
        401,
      );
    }
  });

  test("another server of this machine that a browser has given the cookie to", async () => {
    const { cookie } = own.own;
    const value = cookie.slice(cookie.indexOf("=") + 1);
    for (const path of ["/api/about", "/api/stages", "/api/runs", "/api/runs/1/events"]) {
      for (const guess of [undefined, "", value, cookie, "x".repeat(43), tokenIn(server.url())]) {
        const { status, json: told } = await ask(server.port, path, { headers: { cookie, [KEY_HEADER]: guess } });
        expect([path, status, told.code]).toEqual([path, 401, "NO_SESSION"]);
      }
    }
    const headers = { cookie, origin: origin(), "content-type": json };
    expect(await ask(server.port, "/api/runs/1/answer", { method: "POST", headers, body: {} })).toMatchObject({
      status: 401,
    });
  });

  test("more than a few guesses in a second, which never lock out the right token", async () => {
    const real = platform();
    let now = real.monotonicNow() + 10_000;
    setPlatform({ ...real, monotonicNow: () => now });
    onTestFinished(() => setPlatform(real));
    const statuses: number[] = [];
    for (let index = 0; index < 8; index++) statuses.push((await exchange(`guess ${index}`)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429]);
    expect((await exchange(tokenIn(server.url()))).status).toBe(200);
    now += 999;
    expect((await exchange("guess")).status).toBe(429);
    now += 1;
    expect((await exchange("guess")).status).toBe(401);
  });

  test("a name of others that leads here", async () => {
    for (const host of ["evil.example", `evil.example:${server.port}`, "127.0.0.1", `127.0.0.1.evil:${server.port}`]) {
      for (const path of ["/", "/api/about"]) {
        expect((await ask(server.port, path, { headers: { host, ...own.own } })).status).toBe(403);
      }
    }
    expect((await ask(server.port, "/", { headers: { host: `localhost:${server.port}` } })).status).toBe(200);
  });

  test("pages of others, also those of another port of this machine", async () => {
    for (const other of ["http://evil.example", "null", "http://127.0.0.1:1", `https://127.0.0.1:${server.port}`]) {
      expect((await ask(server.port, "/api/about", { headers: { ...own.own, origin: other } })).status).toBe(403);
      expect((await exchange(tokenIn(server.url()), { origin: other })).status).toBe(403);
    }
    for (const site of ["cross-site", "same-site"]) {
      const headers = { ...own.own, "sec-fetch-site": site };
      expect((await ask(server.port, "/api/about", { headers })).status).toBe(403);
    }
    expect((await exchange(tokenIn(server.url()), { origin: undefined })).status).toBe(403);
    expect((await exchange(tokenIn(server.url()), { "content-type": "text/plain" })).status).toBe(415);
  });

  test("what would change something, unless that is allowed", async () => {
    expect(await own.post("/api/stages/app/dev/drift")).toMatchObject({ status: 403, json: { code: "READ_ONLY" } });
    expect((await own.post("/api/runs/1/answer", { question: "1", approved: true })).status).toBe(403);
    for (const method of ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"]) {
      const headers = own.own;
      expect((await ask(server.port, "/api/about", { method, headers })).status).toBe(405);
    }
    expect((await own.post("/api/about")).status).toBe(404);
  });

  test("what is too large, malformed, or no path of its own", async () => {
    expect((await own.get(`/api/about?${"x".repeat(9000)}`)).status).toBe(414);
    expect((await own.get(`/api/${"x".repeat(100_000)}`)).status).toBe(431);
    expect((await own.post("/api/session", { token: "x".repeat(20_000) })).status).toBe(413);
    const headers = { origin: origin(), "content-type": json };
    for (const body of ["", "{", "null", '"text"']) {
      expect((await ask(server.port, "/api/session", { method: "POST", headers, body })).status).toBe(400);
    }
    for (const path of [
      "/../../etc/passwd",
      "/api/../../etc/passwd",
      "/%2e%2e/%2e%2e/etc/passwd",
      "/api/stages/..%2f..%2fetc/passwd",
      "//evil.example/api/about",
      "/api/%",
      "/api/runs/none/events",
      "/favicon.ico",
    ]) {
      expect([path, (await own.get(path)).status]).toEqual([path, 404]);
    }
  });
});
