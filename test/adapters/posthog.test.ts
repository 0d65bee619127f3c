import { createSocket } from "node:dgram";
import { Resolver } from "node:dns/promises";
import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { posthogSink } from "../../adapters/posthog/index.js";
import { lookupUntil } from "../../adapters/posthog/sender.js";
import type { TelemetryEvent } from "../../core/contract/index.js";
import { type CaptureServer, captureServer, type Mood } from "../helpers/processes/capture-server.ts";
import { until } from "../helpers/time/until.ts";

let server: CaptureServer;
beforeEach(async () => {
  server = await captureServer();
});
afterEach(() => server.close());

const event = (uuid: string): TelemetryEvent => ({
  name: "run finished",
  uuid,
  timestamp: "2026-01-02T03:04:05.678Z",
  userId: "somebody",
  properties: { phase: "up", created: 3, ci: true, errors: ["FENCED"], kinds: { "fs:File": 3 } },
});
const events = [event("0189f7a2-3c1f-4b57-9f2e-1b2c3d4e5f60"), event("0189f7a2-3c1f-4b57-9f2e-1b2c3d4e5f61")];
const never = (): AbortSignal => new AbortController().signal;

describe("posthogSink", () => {
  it("sends events as they are, in one request, without person and place", async () => {
    await posthogSink({ key: " phc_x ", host: server.url }).send(events, never());
    expect(server.paths).toEqual(["/batch/"]);
    expect(JSON.parse(server.bodies[0] ?? "")).toMatchObject({ api_key: "phc_x" });
    expect(server.events).toMatchObject([
      {
        event: "run finished",
        distinct_id: "somebody",
        uuid: events[0]?.uuid,
        timestamp: "2026-01-02T03:04:05.678Z",
        properties: { ...events[0]?.properties, $process_person_profile: false, $geoip_disable: true, $ip: "0.0.0.0" },
      },
      { uuid: events[1]?.uuid },
    ]);
  });

  it("sends nothing that the client finds in its surroundings", async () => {
    vi.stubEnv("OTEL_SERVICE_NAME", "somebody's own");
    try {
      await posthogSink({ key: "phc_x", host: server.url }).send(events, never());
    } finally {
      vi.unstubAllEnvs();
    }
    expect(Object.keys(server.events[0]?.properties ?? {}).sort()).toEqual(
      [
        ...Object.keys(events[0]?.properties ?? {}),
        "$process_person_profile",
        "$geoip_disable",
        "$ip",
        "$is_server",
        "$lib",
        "$lib_version",
      ].sort(),
    );
  });

  it.each<Mood>([500, 429, "reset"])("rejects where another time may help: %j", async (mood) => {
    server.mood = mood;
    await expect(posthogSink({ key: "phc_x", host: server.url }).send(events, never())).rejects.toThrow();
    expect(server.bodies).toHaveLength(1);
  });

  it("tells of a failure also in the client's other protocol", async () => {
    vi.stubEnv("POSTHOG_CAPTURE_MODE", "v1");
    server.mood = 500;
    try {
      await expect(posthogSink({ key: "phc_x", host: server.url }).send(events, never())).rejects.toThrow();
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it.each<Mood>([400, "bad JSON", "drips"])("resolves where it would not: %j", async (mood) => {
    server.mood = mood;
    await posthogSink({ key: "phc_x", host: server.url }).send(events, never());
  });

  it("tries halves if a batch is too large, and drops it then", async () => {
    server.mood = 413;
    await posthogSink({ key: "phc_x", host: server.url }).send(events, never());
    expect(server.bodies.map((body) => JSON.parse(body).batch.length)).toEqual([2, 1]);
  });

  it("gives up as soon as it is told to", async () => {
    server.mood = "silent";
    const stop = new AbortController();
    const sending = posthogSink({ key: "phc_x", host: server.url }).send(events, stop.signal);
    await until(() => server.bodies.length > 0);
    stop.abort();
    await expect(sending).rejects.toThrow();
  });

  it("has one name for each project", () => {
    const names = [
      posthogSink({ key: "a" }),
      posthogSink({ key: "a", host: "https://us.i.posthog.com" }),
      posthogSink({ key: "b" }),
      posthogSink({ key: "a", host: "https://eu.i.posthog.com" }),
    ].map(({ name }) => name);
    expect(new Set(names).size).toBe(3);
    expect(names[0]).not.toContain("a,");
  });

  it.each([[{}], [{ key: " " }], [{ key: "x", host: "eu.i.posthog.com" }], [{ key: "x", hots: "https://x" }]])(
    "refuses %j",
    (options) => {
      expect(() => posthogSink(Object(options))).toThrow(expect.objectContaining({ code: "INVALID_OPTION" }));
    },
  );
});

describe("the lookup of a host", () => {
  const looking = (host: string, signal: AbortSignal, resolver?: Resolver): Promise<unknown> =>
    new Promise((resolve, reject) => {
      lookupUntil(signal, resolver)(host, { all: true }, (error, found) => (error ? reject(error) : resolve(found)));
    });

  it("finds this machine without a name server", async () => {
    const found = await looking("localhost", never());
    expect(found).toContainEqual(expect.objectContaining({ address: expect.stringMatching(/^(127\.0\.0\.1|::1)$/) }));
  });

  it("can be taken back while a name server says nothing", async () => {
    const silent = createSocket("udp4");
    silent.bind(0, "127.0.0.1");
    await once(silent, "listening");
    try {
      const resolver = new Resolver({ timeout: 60_000 });
      resolver.setServers([`127.0.0.1:${silent.address().port}`]);
      const stop = new AbortController();
      const asked = once(silent, "message");
      const found = looking("posthog.example", stop.signal, resolver);
      await asked;
      stop.abort();
      await expect(found).rejects.toMatchObject({ code: "ECANCELLED" });
    } finally {
      silent.close();
    }
  });
});
