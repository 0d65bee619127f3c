/** What a run asks of a store over the network, counted where it passes. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { EngineOptions } from "../../core/contract/options.js";
import { createEngine } from "../../core/engine/engine.js";
import { type FaultyProxy, startProxy } from "../faults/proxy/proxy.js";
import { type RemoteName, remoteStore, serverUrl } from "../helpers/remote-stores.js";
import { makeTestBucket } from "../helpers/s3-store.js";
import { newThings } from "../helpers/things.ts";
import { timed } from "../helpers/timed.js";
import { describeWithRedis } from "../servers/given-redis.js";
import { describeWithS3 } from "../servers/given-s3.js";

const { Thing, calls } = newThings();
const engine = createEngine();
const patient = { timeout: 120_000 };
/** Milliseconds of a round trip to a region that is not the next one. */
const FAR = 50;

/** Requests that put something, or delete it. */
const WRITES = ["PUT", "POST", "DELETE", "EVALSHA", "EVAL"];
/** Those that a client makes for itself when it connects, and the look at how the server keeps its data. */
const GREETINGS = ["CLIENT", "HELLO", "INFO", "CONFIG", "SCRIPT"];

function requests(name: RemoteName): void {
  let proxy: FaultyProxy;
  let rootDir: string;
  let prefix: string;
  beforeAll(async () => {
    proxy = await startProxy({ target: serverUrl(name), protocol: name === "s3" ? "http" : "redis" });
    rootDir = await mkdtemp(join(tmpdir(), "remote-requests-"));
  });
  afterAll(async () => {
    await proxy.close();
    await rm(rootDir, { recursive: true });
  });
  beforeEach(() => {
    prefix = `requests/${randomUUID()}`;
    proxy.latency = 0;
    calls.length = 0;
  });

  const run = async (declare: () => Promise<unknown>, options: EngineOptions = {}): Promise<number> => {
    proxy.recount();
    const began = performance.now();
    const stateStore = () => remoteStore(name, prefix, { url: proxy.url });
    const app = await engine("shop", { stage: "dev", rootDir, stateStore, argv: [], env: {}, ...options });
    await declare();
    await app.finalize();
    return performance.now() - began;
  };
  const together = (count: number) => () =>
    Promise.all(Array.from({ length: count }, (_, at) => Thing(`${at}`, { text: "" })));
  const inTurn = (count: number) => async () => {
    for (let at = 0; at < count; at++) await Thing(`${at}`, { text: "" });
  };
  const written = (): number => sum(Object.entries(proxy.counts.byKind).filter(([kind]) => WRITES.includes(kind)));
  const asked = (): number => sum(Object.entries(proxy.counts.byKind).filter(([kind]) => !GREETINGS.includes(kind)));

  describe.each([10, 1_000, 10_000])("of %i things", (count) => {
    it("an unchanged run, and one that reads, ask at most four times and write nothing", patient, async () => {
      await run(together(count));
      // Where a large state has no checkpoint of its last changes, these are read besides: one request or one for each.
      const tail = await tailOf(name, prefix);
      expect(tail).toBeLessThanOrEqual(64);
      calls.length = 0;
      for (const options of [{}, { phase: "read" }] as const) {
        await run(together(count), options);
        expect(calls).toEqual([]);
        expect({ written: written() }).toEqual({ written: 0 });
        expect(asked() - tail).toBeLessThanOrEqual(4);
      }
    });
  });

  it("creates one after the other cost at most 1.1 writes each", patient, async ({ task }) => {
    await run(inTurn(100));
    task.meta.note = `${name}: ${written() / 100} writes for each of 100 creates in turn`;
    expect(written() / 100).toBeLessThanOrEqual(1.1);
  });

  it("1,000 creates, 64 at once, cost at most 0.1 writes each, and far away less than 8 s", {
    ...patient,
    ...timed,
  }, async ({ task }) => {
    proxy.latency = FAR;
    const time = await run(together(1_000));
    const each = written() / 1_000;
    task.meta.note = `${name}: 1,000 creates at once, ${FAR} ms away: ${each} writes each, ${(time / 1_000).toFixed(1)} s`;
    expect(each).toBeLessThanOrEqual(0.1);
    expect(time).toBeLessThan(8_000);
  });
}

/** Journal entries behind the newest checkpoint. */
async function tailOf(name: RemoteName, prefix: string): Promise<number> {
  const store = remoteStore(name, prefix);
  let [base, end] = [0, 0];
  for await (const key of store.list("shop/dev/")) {
    const seq = Number(key.slice(-12));
    if (key.includes("/checkpoint/")) base = Math.max(base, seq);
    if (key.includes("/journal/")) end = Math.max(end, seq);
  }
  await store.close?.();
  return end - base;
}

function sum(counts: readonly (readonly [string, number])[]): number {
  return counts.reduce((total, [, count]) => total + count, 0);
}

describe("a run far from its state", () => {
  describeWithS3("in S3", () => {
    beforeAll(() => makeTestBucket());
    requests("s3");
  });
  describeWithRedis("in Redis", () => requests("redis"));
});
