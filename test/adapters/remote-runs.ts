/** Runs on a store over the network, and their requests, counted by the proxy. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { EngineOptions } from "../../core/contract/index.js";
import { createEngine } from "../../plugins/engine/index.js";
import { type FaultyProxy, startProxy } from "../faults/proxy/proxy.js";
import { newThings } from "../helpers/apps/things.ts";
import { PROTOCOL_OF, type RemoteName, remoteStore, serverUrl } from "../helpers/stores/remote-stores.js";

const { Thing, calls } = newThings();
const engine = createEngine();
export const patient = { timeout: 120_000 };

/** Requests that put or delete something. */
const WRITES = ["PUT", "POST", "DELETE", "EVALSHA", "EVAL", "WITH"];
/** Requests that a client makes for itself when it connects, and the query for how the server keeps its data. */
const GREETINGS = ["CLIENT", "HELLO", "INFO", "CONFIG", "SCRIPT", "STARTUP", "PASSWORD", "BYE"];

export interface RemoteRuns {
  run(declare: () => Promise<unknown>, options?: EngineOptions): Promise<void>;
  /** Requests of the last run that put or delete something. */
  written(): number;
  /** All requests of the last run that are about the state. */
  asked(): number;
  /** Journal entries after the newest checkpoint. */
  tail(): Promise<number>;
  /** Delays each request by so many milliseconds, until the test is over. */
  takes(latency: number): void;
}

/** Called where tests are declared; each has a stage of its own. */
export function remoteRuns(name: RemoteName): RemoteRuns {
  let proxy: FaultyProxy;
  let rootDir: string;
  let prefix: string;
  beforeAll(async () => {
    proxy = await startProxy({ target: serverUrl(name), protocol: PROTOCOL_OF[name] });
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

  const run = async (declare: () => Promise<unknown>, options: EngineOptions = {}): Promise<void> => {
    proxy.recount();
    const stateStore = () => remoteStore(name, prefix, { url: proxy.url });
    const app = await engine("shop", { stage: "dev", rootDir, stateStore, argv: [], env: {}, ...options });
    await declare();
    await app.finalize();
  };
  const written = (): number => sum(Object.entries(proxy.counts.byKind).filter(([kind]) => WRITES.includes(kind)));
  const asked = (): number => sum(Object.entries(proxy.counts.byKind).filter(([kind]) => !GREETINGS.includes(kind)));
  const takes = (latency: number): void => {
    proxy.latency = latency;
  };
  return { run, written, asked, tail: () => tailOf(name, prefix), takes };
}

export const together = (count: number) => () =>
  Promise.all(Array.from({ length: count }, (_, at) => Thing(`${at}`, { text: "" })));

export const inTurn = (count: number) => async () => {
  for (let at = 0; at < count; at++) await Thing(`${at}`, { text: "" });
};

/**
 * @param counts how many resources there are
 * @param most requests: four, or three if values can grow
 */
export function asksLittle({ run, written, asked, tail }: RemoteRuns, counts: readonly number[], most = 4): void {
  describe.each(counts)("of %i resources", (count) => {
    it(`an unchanged run, and one that reads, ask at most ${most} times and write nothing`, patient, async () => {
      await run(together(count));
      // If a large state has no checkpoint of its last changes, these are read, too: with one request, or one for each.
      const behind = await tail();
      expect(behind).toBeLessThanOrEqual(64);
      calls.length = 0;
      for (const options of [{}, { phase: "read" }] as const) {
        await run(together(count), options);
        expect(calls).toEqual([]);
        expect({ written: written() }).toEqual({ written: 0 });
        expect(asked() - behind).toBeLessThanOrEqual(most);
      }
    });
  });
}

/** Journal entries after the newest checkpoint. */
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
