/**
 * Fails every request of a long history once, with and without effect. No acknowledged record is lost, no failure is
 * silent, and the next run continues.
 */
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { loadFrom, recorded } from "../../helpers/stores/journals.js";
import {
  CLOSING_CHECKPOINTS,
  MANY_CHECKPOINTS,
  NO_CHECKPOINTS,
  type Run,
  testLedgers,
} from "../../helpers/stores/ledgers.js";
import { described, type Fault, faultyStore, type StoreCall } from "../../helpers/stores/store-around.js";

const ledgers = testLedgers();

interface Outcome {
  /** Names acknowledged as durable. */
  readonly acknowledged: string[];
  /** Errors and warnings, one line each. */
  readonly told: string[];
}

/** Runs that open, take over, roll over, checkpoint, trim and close, each on a store of its own client. */
async function history(store: StateStore): Promise<Outcome> {
  const outcome: Outcome = { acknowledged: [], told: [] };
  const plans = [
    { limits: CLOSING_CHECKPOINTS, closes: true },
    { limits: NO_CHECKPOINTS, closes: false },
    { limits: MANY_CHECKPOINTS, closes: true },
    { limits: CLOSING_CHECKPOINTS, closes: true },
  ];
  for (const [index, { limits, closes }] of plans.entries()) {
    let run: Run | undefined;
    try {
      run = await ledgers.run(store, { limits, keep: 2, histories: 1 });
      for (const name of [`${index}a`, `${index}b`, `${index}c`]) {
        await run.put(name);
        outcome.acknowledged.push(name);
      }
      if (closes) await run.close();
    } catch (error) {
      outcome.told.push(error instanceof Error ? error.message : "failed");
    }
    await run?.ledger.abandon();
    outcome.told.push(...(run?.warnings() ?? []));
  }
  return outcome;
}

/** Fails the call with that number, counted from 1. */
function failing(inner: StateStore, number: number, fault: Fault) {
  let count = 0;
  let failed: StoreCall | undefined;
  const store = faultyStore(inner, (call) => {
    count++;
    if (count !== number) return undefined;
    failed = call;
    return fault;
  });
  return { store, failed: () => failed, count: () => count };
}

/** A lease that could not be deleted is not worth an error. */
function isMinor(call: StoreCall): boolean {
  return call.op === "deleteMany" && call.key.includes("/lease/");
}

describe.each([{ append: true }, { append: false }] as const)("on a store (%j)", (options) => {
  it.each<Fault>(["refused", "lost"])("every request that is %s is reported, and loses nothing", async (fault) => {
    const whole = failing(memoryStore(options), 0, fault);
    expect((await history(whole.store)).told).toEqual([]);
    expect(whole.count()).toBeGreaterThan(60);
    const silent: string[] = [];
    const lost: string[] = [];
    for (let number = 1; number <= whole.count(); number++) {
      const inner = memoryStore(options);
      const { store, failed } = failing(inner, number, fault);
      const { acknowledged, told } = await history(store);
      const call = failed();
      const name = `${number} ${call ? described(call) : ""}`;
      if (told.length === 0 && call && !isMinor(call)) silent.push(name);
      const there = recorded(await loadFrom(inner));
      if (acknowledged.some((key) => !there.includes(key))) lost.push(name);
      const next = await ledgers.ran(inner, "next");
      expect(next.warnings()).toEqual([]);
    }
    expect({ silent, lost }).toEqual({ silent: [], lost: [] });
  });

  it("a checkpoint that cannot be kept, and the trim after it, are reported and fail nothing", async () => {
    const afterClose = ({ op, key }: StoreCall): boolean =>
      (op === "create" && /checkpoint|history/.test(key)) || op === "deleteMany";
    const inner = memoryStore(options);
    const store = faultyStore(inner, (call) => (afterClose(call) ? "refused" : undefined));
    const { acknowledged, told } = await history(store);
    expect(new Set(told)).toEqual(new Set(["CHECKPOINT_FAILED"]));
    expect(recorded(await loadFrom(inner))).toEqual(acknowledged);
  });
});
