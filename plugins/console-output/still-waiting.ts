/** Reports a long wait again in logs without a live region: a silent log looks dead. */

import { monotonicNow } from "../../core/base/index.js";
import type { EventSource, RunControl } from "../../core/contract/index.js";
import { wholeSeconds } from "./run-lines.js";

/** Milliseconds until the first and each further report. */
const FIRST = 30_000;
const NEXT = 60_000;

export function sayStillWaiting(events: EventSource, control: RunControl, say: (line: string) => void): void {
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => clearTimeout(timer);
  events.on("state:waiting", ({ owner, since }) => {
    const began = monotonicNow();
    const again = (): void => {
      say(`waiting  for ${owner}, running since ${since}: ${wholeSeconds(monotonicNow() - began)} so far`);
      next(NEXT);
    };
    const next = (delay: number): void => {
      timer = setTimeout(again, delay);
      timer.unref();
    };
    stop();
    next(FIRST);
  });
  for (const name of ["state:waited", "run:started", "run:finished", "run:failed"] as const) {
    events.on(name, stop);
  }
  control.onReleased(stop);
}
