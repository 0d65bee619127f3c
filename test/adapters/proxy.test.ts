import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { fetchFor, proxyFor } from "../../adapters/kit/proxy.js";
import { posthogSink } from "../../adapters/posthog/index.js";
import { listed } from "../../plugins/testing/store/case.js";
import { webhook } from "../../plugins/webhook/index.js";
import { Stage } from "../helpers/apps/stage.ts";
import { World } from "../helpers/apps/world.ts";
import { captureServer } from "../helpers/processes/capture-server.ts";
import { proxyServer } from "../helpers/processes/proxy-server.ts";
import { makeTestBucket, s3TestOptions, s3TestStore } from "../helpers/stores/s3-store.ts";
import { receiver } from "../plugins/webhook-receiver.ts";
import { describeWithS3 } from "../servers/given-s3.ts";

const NAMES = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY", "no_proxy", "NO_PROXY"];

beforeEach(() => {
  for (const name of NAMES) vi.stubEnv(name, undefined);
});
afterEach(() => vi.unstubAllEnvs());

const portOf = (url: string): number => Number(new URL(url).port);

describe("the proxy of an address", () => {
  const proxies = { HTTPS_PROXY: "http://secure:1", HTTP_PROXY: "plain:2" };

  test.each([
    ["https://example.com/", proxies, "http://secure:1/"],
    ["http://example.com/", proxies, "http://plain:2/"],
    ["https://example.com/", { HTTP_PROXY: "http://plain:2" }, undefined],
    ["https://example.com/", { HTTPS_PROXY: "http://big:1", https_proxy: "http://small:1" }, "http://small:1/"],
    ["https://example.com/", { HTTPS_PROXY: "" }, undefined],
    ["https://example.com/", { ...proxies, NO_PROXY: "*" }, undefined],
    ["https://a.example.com/", { ...proxies, NO_PROXY: "other, example.com" }, undefined],
    ["https://a.example.com/", { ...proxies, NO_PROXY: ".example.com" }, undefined],
    ["https://a.example.com/", { ...proxies, no_proxy: "*.Example.com" }, undefined],
    ["https://an-example.com/", { ...proxies, NO_PROXY: "example.com," }, "http://secure:1/"],
    ["https://example.com/", { ...proxies, NO_PROXY: "example.com:443" }, undefined],
    ["https://example.com:8443/", { ...proxies, NO_PROXY: "example.com:443" }, "http://secure:1/"],
    ["http://[::1]:9000/", { ...proxies, NO_PROXY: "[::1]" }, undefined],
  ])("of %s with %j is %s", (address, env, proxy) => {
    expect(proxyFor(new URL(address), env)?.href).toBe(proxy);
  });

  test("is refused if it is not an address, in words that do not reveal it", () => {
    const ask = (): unknown => proxyFor(new URL("https://example.com"), { HTTPS_PROXY: "http://user:secret@" });
    expect(ask).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
    expect(ask).not.toThrow(/secret/);
  });
});

describe("behind a proxy", () => {
  test("an encrypted request goes through a tunnel, once if the proxy hangs up", async () => {
    const { url, asked } = await proxyServer(1);
    vi.stubEnv("HTTPS_PROXY", url);
    const address = new URL("https://example.com/thing");
    const fetch = await fetchFor(address);
    await expect(fetch(address)).rejects.toThrow("fetch failed");
    expect(asked).toEqual(["CONNECT example.com:443"]);
  });

  test("a webhook is notified", async () => {
    const { url, bodies } = await receiver();
    const proxy = await proxyServer(portOf(url));
    vi.stubEnv("HTTP_PROXY", proxy.url);
    const Thing = new World().type();
    await new Stage({ plugins: [webhook({ url: "http://hooks.example/swordfish" })] }).up(() => Thing("a"));
    expect(bodies).toHaveLength(1);
    expect(proxy.asked).toEqual(["POST http://hooks.example/swordfish"]);
  });

  test("telemetry arrives", async () => {
    const server = await captureServer();
    onTestFinished(() => server.close());
    const proxy = await proxyServer(portOf(server.url));
    vi.stubEnv("HTTP_PROXY", proxy.url);
    const event = { name: "run finished" as const, uuid: "0189f7a2-3c1f-4b57-9f2e-1b2c3d4e5f60", userId: "somebody" };
    const events = [{ ...event, timestamp: "2026-01-02T03:04:05.678Z", properties: {} }];
    await posthogSink({ key: "phc_x", host: "http://telemetry.example" }).send(events, new AbortController().signal);
    expect(server.events).toMatchObject([{ event: "run finished" }]);
    expect(proxy.asked).toEqual(["POST http://telemetry.example/batch/"]);
  });

  describeWithS3("a bucket", () => {
    test("keeps its writes, and NO_PROXY leads to it directly", async () => {
      await makeTestBucket();
      const { endpoint = "" } = s3TestOptions();
      const proxy = await proxyServer(portOf(endpoint));
      vi.stubEnv("HTTP_PROXY", proxy.url);
      const store = s3TestStore("proxy");
      await store.set("app/dev/one two", "value");
      expect(await store.get("app/dev/one two")).toBe("value");
      expect(await store.get("app/dev/none")).toBeUndefined();
      expect(await listed(store, "app/dev/")).toEqual(["app/dev/one two"]);
      expect(await store.deleteMany(["app/dev/one two"])).toBe(true);
      await store.close();
      expect(proxy.asked.length).toBeGreaterThanOrEqual(5);
      const before = proxy.asked.length;
      vi.stubEnv("NO_PROXY", new URL(endpoint).hostname);
      const direct = s3TestStore("proxy");
      await direct.get("app/dev/none");
      await direct.close();
      expect(proxy.asked.length).toBe(before);
    });
  });
});
