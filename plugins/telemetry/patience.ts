/** How long the runs of this process may be held up at their ends for what they tell: so long in all, however many they are. */
import { processWide } from "../../core/process-wide.js";

/** Milliseconds. */
const MOST = 100;

const spent = processWide("telemetry-patience@1", () => ({ milliseconds: 0 }));

/** True where no run is held up any more. */
export function isSpent(): boolean {
  return spent.milliseconds >= MOST;
}

/** Resolves when the work is over, and at the latest when patience is. */
export async function withPatience(work: Promise<unknown>): Promise<void> {
  if (isSpent()) return;
  const began = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, MOST - spent.milliseconds);
  });
  await Promise.race([work.catch(() => {}), limit]);
  clearTimeout(timer);
  spent.milliseconds += performance.now() - began;
}
