/** What waits to be sent by a later run: in a file, and where that would hold up a process of many runs, in memory. */
import { monotonicNow } from "../../core/base/index.js";
import { type Batch, keepInSpool, MOST_BATCHES, takeFromSpool } from "./spool.js";

/** Milliseconds between two looks at the file, and between two writes. */
const PAUSE = 60_000;

let inMemory: readonly Batch[] = [];
let taken = Number.NEGATIVE_INFINITY;
let kept = Number.NEGATIVE_INFINITY;

/** What waits for a sink; nothing where this process has taken something just now. */
export function takeBacklog(folder: string, to: string): readonly Batch[] {
  const now = monotonicNow();
  if (now - taken < PAUSE) return [];
  taken = now;
  const mine = inMemory.filter((batch) => batch.to === to);
  inMemory = inMemory.filter((batch) => batch.to !== to);
  return [...takeFromSpool(folder, to), ...mine];
}

/** Until a later run of this process, or of another. */
export function keepBacklog(folder: string, batches: readonly Batch[]): void {
  const now = monotonicNow();
  if (batches.length === 0) return;
  inMemory = [...inMemory, ...batches].slice(-MOST_BATCHES);
  if (now - kept < PAUSE) return;
  kept = now;
  keepInSpool(folder, inMemory);
  inMemory = [];
}
