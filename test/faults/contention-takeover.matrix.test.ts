/** How long a dead owner holds the others up: not at all on its own machine, a lease elsewhere. */
import { describe, expect, it } from "vitest";
import type { Worker, WorkerOptions } from "./contention-crew.js";
import { contentionStage } from "./contention-stage.js";
import { module } from "./contention-stores.js";

const stage = contentionStage();
const patient = { timeout: 120_000 };
/** Long enough that nobody waits for it unnoticed. */
const LONG = 8_000;
const SHORT = 1_500;
/** What a takeover may take beside the lease. */
const SLACK = 2_000;

/** Kills an owner that another worker waits for, or comes to; milliseconds until the other one writes, if it does. */
async function replaced(
  owner: WorkerOptions,
  heir: WorkerOptions,
  { waits, name = "segments" }: { readonly waits: boolean; readonly name?: string },
): Promise<number> {
  const [dying, next] = await Promise.all([stage.start({ module, name }, owner), stage.start({ module, name }, heir)]);
  await dying.hold();
  const locked = next.reported(({ type }) => type === "locked");
  if (waits) await waiting(next);
  dying.signal("SIGKILL");
  await dying.ended;
  const dead = performance.now();
  if (!waits) next.order({ run: 1 });
  const limit = new Promise<void>((resolve) => setTimeout(resolve, (owner.ttl ?? 0) + 2 * SLACK).unref());
  await Promise.race([locked, limit]);
  return performance.now() - dead;
}

async function waiting(next: Worker): Promise<void> {
  const isWaiting = next.reported(({ type }) => type === "waiting");
  next.order({ run: 1 });
  await isWaiting;
}

describe.each([true, false])("a dead owner (others wait already: %s)", (waits) => {
  it("of this machine is replaced at once, however long its lease", patient, async () => {
    expect(await replaced({ ttl: LONG }, { ttl: LONG }, { waits })).toBeLessThan(LONG / 2);
  });

  it("of another machine is replaced within its lease, whatever the clocks say", patient, async () => {
    const day = 86_400_000;
    const owner = { machine: "a", ttl: SHORT, clockShift: day };
    const taken = await replaced(owner, { ttl: LONG, clockShift: -day }, { waits });
    expect(taken).toBeLessThan(SHORT + SLACK);
  });
});

describe("what these tests would notice", () => {
  it("is a machine that does not know its own processes", patient, async () => {
    const taken = await replaced({ ttl: LONG, machine: "a" }, { ttl: LONG, machine: "b" }, { waits: false });
    expect(taken).toBeGreaterThan(LONG / 2);
  });

  it("is a store on which an owner never falls silent", patient, async () => {
    const owner = { machine: "a", ttl: SHORT };
    expect(await replaced(owner, {}, { waits: true, name: "neverSilent" })).toBeGreaterThan(SHORT + SLACK);
  });
});
