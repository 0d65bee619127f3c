/** How long the runs of this process may be held up at their ends for what they tell: so long in all, however many they are. */
import { monotonicNow, processWide, withDeadline } from "../../core/base/index.js";

/** Milliseconds. */
const MOST = 100;

const spent = processWide("telemetry-patience@1", () => ({ milliseconds: 0 }));

/** True where no run is held up any more. */
export function isSpent(): boolean {
  return spent.milliseconds >= MOST;
}

/** Resolves when the work is over, and at the latest when patience is. */
export async function withinHoldTime(work: Promise<unknown>): Promise<void> {
  if (isSpent()) return;
  const began = monotonicNow();
  const isInTime = await withDeadline(MOST - spent.milliseconds, work.then(isSettled, isSettled), isSettled).catch(
    () => false,
  );
  // A timer may be early by a part of a millisecond, of which the next run would make use.
  spent.milliseconds = isInTime ? spent.milliseconds + monotonicNow() - began : MOST;
}

function isSettled(): boolean {
  return true;
}
