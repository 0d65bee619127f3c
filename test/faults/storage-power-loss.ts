/**
 * A power loss at any moment, on a real store in files: each file and each folder may lack any operations that were not
 * synced. The remaining state loads, and nothing synced is missing. A stage with a key stays trusted: by the key, and
 * by the machine's memory.
 */
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FsStoreOptions } from "../../adapters/fs/index.js";
import { identity } from "../../core/base/index.js";
import type { SeenPosition, StateStore } from "../../core/contract/index.js";
import { howItWentBack, lastingPart } from "../../plugins/secrets/stage-key.js";
import { keyOfStage, underKey } from "../helpers/apps/under-key.js";
import { loadFrom, recorded } from "../helpers/stores/journals.js";
import { CLOSING_CHECKPOINTS, NO_CHECKPOINTS, testLedgers } from "../helpers/stores/ledgers.js";
import { fakeClock } from "../helpers/time/fake-clock.js";
import { diskAfter, losses } from "./storage-after-loss.js";
import { type DiskOperation, recordDisk } from "./storage-recorder.js";

const ledgers = testLedgers();
/** No lease of a run that dies here ever gets a heartbeat. */
const FOR_EVER = 1e9;
export const patient = { timeout: 300_000 };

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "storage-power-loss-")));
});
afterEach(() => rm(root, { recursive: true }));

interface Kind {
  readonly options: FsStoreOptions;
  readonly isSealed?: true;
}

interface Recording {
  readonly log: readonly DiskOperation[];
  /** Everything that was recorded, in its order. */
  readonly names: readonly string[];
  /** From so many operations on, so many names are safe. */
  readonly marks: readonly { readonly at: number; readonly safe: number }[];
  /** From so many operations on, the machine remembers this position. */
  readonly seen: readonly { readonly at: number; readonly position: SeenPosition }[];
}

/** Runs that close, die, take over, roll over and trim. */
export async function history({ options, isSealed }: Kind): Promise<Recording> {
  const recorder = recordDisk(root);
  // The adapter captures some functions when it is loaded.
  vi.resetModules();
  const { fsStoreAt } = await import("../../adapters/fs/index.js");
  const names: string[] = [];
  const marks: { at: number; safe: number }[] = [];
  const seen: { at: number; position: SeenPosition }[] = [];
  const remembering = keyOfStage((position, state) => {
    if (position) seen.push({ at: recorder.log.length, position: lastingPart(position, state) });
  });
  const key = isSealed ? underKey(remembering) : {};
  const store = fsStoreAt(root, options);
  const mark = (): void => void marks.push({ at: recorder.log.length, safe: names.length });
  const isEachSafe = options.durability === "full" || options.append === false;
  const plans = [
    { limits: CLOSING_CHECKPOINTS, closes: true },
    { limits: NO_CHECKPOINTS, closes: false },
    { limits: { ...NO_CHECKPOINTS, entries: 2, tail: 1_500 }, closes: false },
    { limits: NO_CHECKPOINTS, closes: false },
    { limits: CLOSING_CHECKPOINTS, closes: true },
    { limits: CLOSING_CHECKPOINTS, closes: true },
  ];
  try {
    for (const [index, { limits, closes }] of plans.entries()) {
      const run = await ledgers.run(store, { limits, keep: 1, histories: 1, ttl: FOR_EVER, ...key });
      for (let number = 0; number < 4; number++) {
        names.push(`${index}.${number}`);
        await run.put(`${index}.${number}`);
        // The beginning of a session is synced, whatever the durability.
        if (number === 0 || isEachSafe) mark();
      }
      if (closes) await run.close();
      if (closes) mark();
    }
    await store.close();
  } finally {
    recorder.stop();
  }
  return { log: recorder.log, names, marks, seen };
}

/** The fault of the remaining state, if there is one. */
async function judge(
  left: StateStore,
  names: readonly string[],
  { safe, last }: { readonly safe: number; readonly last: SeenPosition | undefined },
): Promise<string | undefined> {
  const now: (SeenPosition | undefined)[] = [];
  const seal = last && { seal: keyOfStage((position) => void now.push(position)) };
  const found = await loadFrom(left, { keep: 1, ...seal }).then(recorded, (error: Error) => error.message);
  if (typeof found === "string") return found;
  const wentBack = last && howItWentBack(last, now.at(-1));
  if (wentBack !== undefined) return `went back: ${wentBack}`;
  if (found.join() !== names.slice(0, found.length).join()) return `holds ${found.join()}`;
  return found.length < safe ? `has lost all behind ${found.at(-1)}, and ${names[safe - 1]} was synced` : undefined;
}

interface Judged {
  readonly faulty: readonly string[];
  readonly cases: number;
}

/** Every loss at every moment, or at some of them. */
export async function judgeAll({ log, names, marks, seen }: Recording, every = 1): Promise<Judged> {
  const faulty: string[] = [];
  let cases = 0;
  for (let moment = 0; moment <= log.length; moment += every) {
    const made = log.slice(0, moment);
    const safe = marks.findLast(({ at }) => at <= moment)?.safe ?? 0;
    const last = seen.findLast(({ at }) => at <= moment)?.position;
    for (const lost of losses(made)) {
      for (const torn of lost.size > 0 ? [0, 0.5] : [0]) {
        cases++;
        const wrong = await judge(diskAfter(made, lost, root, torn), names, { safe, last });
        if (wrong) faulty.push(`after ${moment}, without ${[...lost].join()}, torn at ${torn}: ${wrong}`);
      }
    }
  }
  return { faulty, cases };
}

const KINDS: Readonly<Record<string, Kind>> = {
  segments: { options: {} },
  "segments, under a key": { options: {}, isSealed: true },
  "segments, each line synced": { options: { durability: "full" } },
  entries: { options: { append: false } },
  "entries, under a key": { options: { append: false }, isSealed: true },
};

/**
 * @param every number of moments of which one is tried
 * @param kinds of stores
 */
export function powerLosses(every: number, kinds: readonly string[] = Object.keys(KINDS)): void {
  const tried = Object.entries(KINDS).filter(([name]) => kinds.includes(name));
  describe.each(tried)("a power loss (%s)", (_, kind) => {
    it("leaves a state that loads, with all that was synced, and nothing behind a gap", patient, async ({ task }) => {
      const { faulty, cases } = await judgeAll(await history(kind), every);
      task.meta.note = `${cases} losses`;
      expect(faulty).toEqual([]);
      expect(cases).toBeGreaterThan(500 / every);
    });

    it("is reported by the next run, once the machine is up, if a session was open", patient, async () => {
      const { log } = await history(kind);
      const rebooted = { ...identity(), boot: "another" };
      const told = new Map<boolean, Set<string>>([
        [true, new Set()],
        [false, new Set()],
      ]);
      for (let moment = 0; moment <= log.length; moment += 3 * every) {
        const made = log.slice(0, moment);
        const [, everything = new Set<number>()] = losses(made);
        const left = diskAfter(made, everything, root);
        const { open } = (await loadFrom(left, { keep: 1 })).head;
        const key = kind.isSealed ? underKey() : {};
        const run = await ledgers.run(left, { here: rebooted, clock: fakeClock(), keep: 1, ...key });
        await run.put("next");
        await run.close();
        await loadFrom(left, { keep: 1, ...key });
        told.get(open !== undefined)?.add(run.warnings().join());
      }
      expect([...(told.get(true) ?? [])]).toEqual(["REBOOTED"]);
      expect([...(told.get(false) ?? [])]).toEqual([""]);
    });
  });
}
