/**
 * A power loss may remove unsynced writes from the end, at any moment of a long history. The rest loads, and holds
 * everything up to some point: entries may be missing at the end, never in the middle.
 */
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { StateStore } from "../../../core/contract/index.js";
import { loadFrom, recorded } from "../../helpers/stores/journals.js";
import { CLOSING_CHECKPOINTS, NO_CHECKPOINTS, type Run, testLedgers } from "../../helpers/stores/ledgers.js";
import {
  described,
  type RecordingStore,
  recordingStore,
  type StoreCall,
  storeAround,
} from "../../helpers/stores/store-around.js";

const ledgers = testLedgers();

interface Write {
  readonly call: StoreCall;
  /** Number of the call that made it durable, counted like the writes; Infinity: none did. */
  lasting: number;
}

/** A disk that records when each write was made and when it became durable. */
function disk(append: boolean) {
  const writes: Write[] = [];
  const store = storeAround(memoryStore({ append }), async (call, act) => {
    const answer = await act();
    const isRefused = call.op === "create" && answer === false;
    if (!["create", "append", "set", "deleteMany"].includes(call.op) || isRefused) return answer;
    writes.push({ call, lasting: Number.POSITIVE_INFINITY });
    const isSynced = (call.op === "create" || call.op === "append") && call.options?.sync !== false;
    // Syncing a file makes all earlier writes to it durable, whichever process made them.
    if (isSynced)
      for (const write of writes)
        if (write.call.key === call.key) write.lasting = Math.min(write.lasting, writes.length);
    return answer;
  });
  return { store, writes };
}

/** The contents after the first `moment` writes, without the last `lost` of those that were not synced by then. */
async function after(writes: readonly Write[], moment: number, lost: number): Promise<StateStore | undefined> {
  const made = writes.slice(0, moment);
  const unsynced = made.filter(({ lasting }) => lasting > moment);
  if (lost > unsynced.length) return undefined;
  const gone = new Set(unsynced.slice(unsynced.length - lost));
  const store = memoryStore();
  for (const write of made) if (!gone.has(write)) await redo(store, write.call);
  return store;
}

async function redo(store: StateStore, { op, key, keys, value = "" }: StoreCall): Promise<void> {
  const before = await store.get(key);
  if (op === "append") await store.set(key, `${before ?? ""}${value}`);
  else if (op === "create") await store.set(key, before ?? value);
  else if (op === "set") await store.set(key, value);
  else await store.deleteMany([...keys]);
}

/** Runs that close, die, take over and roll over; returns the names that they recorded, in order. */
async function history(store: StateStore): Promise<string[]> {
  const names: string[] = [];
  const plans = [
    { limits: NO_CHECKPOINTS, closes: true },
    { limits: NO_CHECKPOINTS, closes: false },
    { limits: { ...NO_CHECKPOINTS, entries: 2, tail: 1_500 }, closes: false },
    { limits: NO_CHECKPOINTS, closes: false },
    { limits: CLOSING_CHECKPOINTS, closes: true },
  ];
  for (const [index, { limits, closes }] of plans.entries()) {
    const run = await ledgers.run(store, { limits, keep: 1, histories: 1 });
    for (let number = 0; number < 6; number++) {
      const name = `${index}.${number}`;
      await run.put(name);
      names.push(name);
    }
    if (closes) await run.close();
  }
  return names;
}

describe.each([true, false])("a power loss (segments: %s)", (append) => {
  it("leaves a state that loads, with all that was recorded up to some point", async () => {
    const { store, writes } = disk(append);
    const names = await history(store);
    const faulty: string[] = [];
    let cases = 0;
    for (let moment = 0; moment <= writes.length; moment++) {
      for (let lost = 0; ; lost++) {
        const left = await after(writes, moment, lost);
        if (!left) break;
        cases++;
        const found = await loadFrom(left, { keep: 1 }).then(recorded, (error: Error) => [error.message]);
        if (found.join() !== names.slice(0, found.length).join()) faulty.push(`${moment} -${lost}: ${found.at(-1)}`);
      }
    }
    expect(faulty).toEqual([]);
    expect(cases).toBeGreaterThan(append ? 100 : 50);
  });
});

/**
 * The creates and appends so far, each with its durability. A call without the option gets the store's default, synced.
 */
function writes({ calls }: RecordingStore): string[] {
  const found = calls.filter(({ op }) => op === "create" || op === "append");
  return found.map((call) => `${described(call)} ${call.options?.sync === false ? "quick" : "synced"}`);
}

async function written(
  append: boolean,
  work: (run: Run) => Promise<void>,
  limits = CLOSING_CHECKPOINTS,
): Promise<string[]> {
  const recording = recordingStore(memoryStore({ append }));
  await work(await ledgers.run(recording.store, { limits }));
  return writes(recording);
}

describe("the writes of a run with segments", () => {
  it("are synced where they open, close or make a checkpoint, and quick in between", async () => {
    const all = await written(true, async (run) => {
      for (const name of ["a", "b", "c"]) await run.put(name);
      await run.close();
    });
    expect(all).toEqual([
      "create journal/1 synced",
      // The second try of the open, which tests whether the store keeps two runs apart.
      "create journal/1 synced",
      "create journal/2 synced",
      "append journal/2 quick",
      "append journal/2 quick",
      "append journal/2 synced",
      "create checkpoint/2 synced",
      "create history/2 quick",
    ]);
  });

  it("are synced at the end of a segment before the next one counts its lines", async () => {
    const limits = { ...NO_CHECKPOINTS, tail: 2_000 };
    const all = await written(
      true,
      async (run) => {
        for (let number = 0; number < 8; number++) await run.put(`${number}`);
        await run.ledger.abandon();
      },
      limits,
    );
    const next = all.indexOf("create journal/3 synced");
    expect(next).toBeGreaterThan(0);
    expect(all[next - 1]).toBe("append journal/2 synced");
    expect(all.slice(3, next - 1).every((write) => write === "append journal/2 quick")).toBe(true);
  });
});

describe("the writes of a run without segments", () => {
  it("are all synced, for a later one must not outlive an earlier one", async () => {
    const all = await written(false, async (run) => {
      for (const name of ["a", "b", "c"]) await run.put(name);
      await run.close();
    });
    expect(all.filter((write) => write.endsWith("quick"))).toEqual(["create history/5 quick"]);
  });
});
