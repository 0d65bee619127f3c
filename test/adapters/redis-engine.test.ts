/** Runs of the engine on Redis: their requests, and mutual exclusion. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { redisStore, redisStoreAt } from "../../adapters/redis/index.js";
import type { Phase } from "../../core/base/index.js";
import { createEngine } from "../../plugins/engine/index.js";
import { seededFaults } from "../faults/proxy/plans.js";
import { type FaultyProxy, startProxy } from "../faults/proxy/proxy.js";
import { newThings } from "../helpers/apps/things.ts";
import { emptyStore } from "../helpers/stores/store-contents.js";
import { describeWithRedis } from "../servers/given-redis.js";

const { Thing, there, calls } = newThings();
const engine = createEngine();

describeWithRedis("a run on Redis", (url) => {
  let proxy: FaultyProxy;
  let rootDir: string;
  let prefix: string;

  beforeAll(async () => {
    proxy = await startProxy({ target: url, protocol: "redis" });
    rootDir = await mkdtemp(join(tmpdir(), "redis-engine-"));
  });
  afterAll(async () => {
    await proxy.close();
    await rm(rootDir, { recursive: true });
  });
  beforeEach(() => {
    prefix = `test-engine-${randomUUID()}:`;
    proxy.plan = undefined;
    there.clear();
    calls.length = 0;
  });
  afterEach(async () => {
    const store = redisStoreAt({ url, prefix });
    await emptyStore(store);
    await store.close();
  });

  async function run(count: number, phase: Phase = "up", text = "same", requestTimeout = 10_000): Promise<void> {
    const stateStore = redisStore({ url: proxy.url, prefix, requestTimeout });
    const app = await engine("shop", { stage: "dev", rootDir, phase, stateStore });
    if (phase !== "destroy")
      await Promise.all(Array.from({ length: count }, (_, index) => Thing(`${index}`, { text })));
    await app.finalize();
  }

  it("asks once how the server keeps its data, on one connection", async () => {
    await run(3);
    proxy.recount();
    await run(3);
    expect(proxy.counts).toMatchObject({ connections: 1, byKind: { INFO: 1 } });
  });

  it("changes, prunes and destroys, and each next run knows", async () => {
    await run(3);
    await run(2, "up", "other");
    expect([...there.values()]).toEqual(["other", "other"]);
    await run(0, "destroy");
    expect([...there]).toEqual([]);
  });

  it("comes to the same end on a network that fails", async () => {
    const faults = [
      { kind: "reset-before" },
      { kind: "reset-after" },
      { kind: "timeout", forwarded: true },
      { kind: "late-duplicate", after: 10 },
    ] as const;
    proxy.plan = seededFaults("engine", 0.2, faults);
    await run(20, "up", "same", 200);
    proxy.plan = undefined;
    await proxy.settled();
    calls.length = 0;
    await run(20);
    expect(calls).toEqual([]);
    expect(there.size).toBe(20);
  });

  it("keeps another one out", async () => {
    const open = () => engine("shop", { stage: "dev", rootDir, stateStore: redisStore({ url, prefix }) });
    const first = await open();
    await Thing("a");
    await expect(open()).rejects.toMatchObject({ code: "STATE_LOCKED", holder: { pid: process.pid, command: "up" } });
    await first.finalize();
  });
});
