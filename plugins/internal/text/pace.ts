/** Measures how many stages end per second, and estimates the time that is left. */
import type { FleetReport } from "../../fleet/index.js";

/** Milliseconds that the rate covers. */
const WINDOW = 10_000;

export interface Rate {
  /** Stages per second; undefined until it is known. */
  readonly perSecond: number | undefined;
  /** Milliseconds until the run ends; undefined if it is not known. */
  readonly left: number | undefined;
}

export class Pace {
  readonly #samples: { readonly at: number; readonly finished: number }[] = [];

  /** @param now time of the monotonic clock */
  add(report: FleetReport, now: number): void {
    // A run that waits has no pace, and the time that it waited must not slow down the pace after it.
    if (report.state !== "running") return void this.#samples.splice(0);
    this.#samples.push({ at: now, finished: finishedIn(report) });
    // One sample from before the window stays, so that the whole window is measured.
    while ((this.#samples[1]?.at ?? now) <= now - WINDOW) this.#samples.shift();
  }

  rate({ stages: { total } }: FleetReport): Rate {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (!first || !last || last.at - first.at < 1_000) return { perSecond: undefined, left: undefined };
    const perSecond = ((last.finished - first.finished) * 1_000) / (last.at - first.at);
    return { perSecond, left: perSecond > 0 ? ((total - last.finished) * 1_000) / perSecond : undefined };
  }
}

/** Returns the number of stages that have ended and will not begin again. */
export function finishedIn({ stages }: FleetReport): number {
  return stages.changed + stages.unchanged + stages.failed + stages.skipped;
}

/** Formats a rate, e.g. `312 per second`. */
export function rateText(perSecond: number): string {
  return `${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)} per second`;
}
