/** Limits the time that all runs of this process together wait at their ends for telemetry. */
import { monotonicNow, processWide, withDeadline } from "../../core/base/index.js";

/** Milliseconds, for all runs together. */
const MOST = 100;

const spent = processWide("telemetry-patience@1", () => ({ milliseconds: 0 }));

/** True if no run may wait any more. */
export function isSpent(): boolean {
  return spent.milliseconds >= MOST;
}

/** Resolves when the work has settled, or when the time is used up. */
export async function withinHoldTime(work: Promise<unknown>): Promise<void> {
  if (isSpent()) return;
  const began = monotonicNow();
  const isInTime = await withDeadline(MOST - spent.milliseconds, work.then(isSettled, isSettled), isSettled).catch(
    () => false,
  );
  // A timer may fire a fraction of a millisecond early, and the next run would use this fraction.
  spent.milliseconds = isInTime ? spent.milliseconds + monotonicNow() - began : MOST;
}

function isSettled(): boolean {
  return true;
}
