/** Runs of the engine on a server behind a proxy, and the tests that hold on every server. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Phase } from "../../core/base/index.js";
import type { StateStoreOption } from "../../core/contract/index.js";
import { createEngine } from "../../plugins/engine/index.js";
import { seededFaults } from "../faults/proxy/plans.js";
import { type FaultyProxy, type ProxyOptions, startProxy } from "../faults/proxy/proxy.js";
import { newThings } from "../helpers/apps/things.ts";

interface Server extends Pick<ProxyOptions, "protocol"> {
  readonly target: string;
  /** Returns the store of the present test. @param requestTimeout milliseconds */
  stateStore(url: string, requestTimeout?: number): StateStoreOption;
}

/** Called inside `describe`. */
export function runsOnServer({ protocol, target, stateStore }: Server) {
  const { Thing, there, calls } = newThings();
  const engine = createEngine();
  let proxy: FaultyProxy;
  let rootDir: string;

  beforeAll(async () => {
    proxy = await startProxy({ target, protocol });
    rootDir = await mkdtemp(join(tmpdir(), "runs-on-server-"));
  });
  afterAll(async () => {
    await proxy.close();
    await rm(rootDir, { recursive: true });
  });
  beforeEach(() => {
    proxy.plan = undefined;
    there.clear();
    calls.length = 0;
  });

  async function run(count: number, phase: Phase = "up", text = "same", requestTimeout = 10_000): Promise<void> {
    const store = stateStore(proxy.url, requestTimeout);
    const app = await engine("shop", { stage: "dev", rootDir, phase, stateStore: store, env: {} });
    if (phase !== "destroy")
      await Promise.all(Array.from({ length: count }, (_, index) => Thing(`${index}`, { text })));
    await app.finalize();
  }

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
    const open = () => engine("shop", { stage: "dev", rootDir, stateStore: stateStore(target) });
    const first = await open();
    await Thing("a");
    await expect(open()).rejects.toMatchObject({ code: "STATE_LOCKED", holder: { pid: process.pid, command: "up" } });
    await first.finalize();
  });

  return { run, proxy: () => proxy };
}
