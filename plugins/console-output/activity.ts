/** What a run is doing, as its events tell it: kept up to date, and looked at only when it is to be shown. */

import { monotonicNow } from "../../core/base/index.js";
import type { EngineEvents, EventSource, RunStatus } from "../../core/contract/index.js";

/** Something that is under way. */
export interface Running {
  readonly fqn: string;
  readonly action: string;
  /** By the monotonic clock, as all times here. */
  readonly since: number;
  /** Set while it waits for its next call. */
  readonly retry?: { readonly attempt: number; readonly attempts: number; readonly at: number };
}

interface Owned {
  readonly owner: string;
  readonly since: number;
}

interface Looked {
  readonly done: number;
  readonly total: number;
  readonly since: number;
}

/** What there is to see at one moment. */
export interface Sight {
  /** The longest first. */
  readonly running: readonly Running[];
  readonly waiting: Owned | undefined;
  readonly looking: Looked | undefined;
  /** True from `engine()` until the state is loaded. */
  readonly isLoading: boolean;
  readonly done: number;
  readonly failed: number;
  /** So many have not begun. */
  readonly queued: number;
  /** Nor will they in this run. */
  readonly isInterrupted: boolean;
}

/** Whichever it is, the run is over. */
export const ENDS = ["run:finished", "run:failed", "run:repeated"] as const;
const DONE = ["created", "updated", "replaced", "adopted", "unchanged"] as const;

export class Activity {
  readonly #run: RunStatus;
  readonly #running = new Map<string, Running>();
  #waiting: Owned | undefined;
  #looking: Looked | undefined;
  #isLoaded = false;

  constructor(events: EventSource, run: RunStatus) {
    this.#run = run;
    events.on("resource:started", ({ fqn, action }) => {
      this.#looking = undefined;
      this.#running.set(keyOf(fqn, action), { fqn, action, since: monotonicNow() });
    });
    for (const word of DONE) events.on(`resource:${word}`, ({ fqn }) => this.#ended(fqn, "create"));
    events.on("resource:deleted", ({ fqn }) => this.#ended(fqn, "delete"));
    for (const word of ["failed", "stopped"] as const) {
      events.on(`resource:${word}`, ({ fqn, action }) => this.#ended(fqn, action));
    }
    events.on("resource:retrying", (event) => this.#retries(event));
    events.on("resource:looked", ({ total }) => {
      const { done, since } = this.#looking ?? { done: 0, since: monotonicNow() };
      this.#looking = done + 1 < total ? { done: done + 1, total, since } : undefined;
    });
    events.on("state:waiting", ({ owner }) => {
      this.#waiting = { owner, since: monotonicNow() };
    });
    for (const name of ["state:waited", "run:started", ...ENDS] as const) {
      events.on(name, () => {
        this.#waiting = undefined;
      });
    }
    events.on("run:started", () => {
      this.#isLoaded = true;
    });
    for (const name of ENDS) {
      events.on(name, () => {
        this.#running.clear();
        this.#isLoaded = false;
      });
    }
  }

  see(): Sight {
    const { unchanged, failed, stopped: _stopped, notBegun, ...rest } = this.#run.summary;
    const atWork = new Set(this.#run.atWork);
    // Some end without an event of their own, such as an update that becomes a replace.
    const running = [...this.#running.values()].filter(({ fqn, retry }) => retry !== undefined || atWork.has(fqn));
    return {
      running: running.sort((a, b) => a.since - b.since),
      waiting: this.#waiting,
      looking: this.#looking,
      isLoading: !this.#isLoaded && this.#run.isOpening,
      done: Object.values(rest).reduce((sum, count) => sum + count, unchanged),
      failed,
      queued: this.#run.queued + notBegun,
      isInterrupted: this.#run.isInterrupted,
    };
  }

  #ended(fqn: string, action: string): void {
    this.#running.delete(keyOf(fqn, action));
  }

  #retries({ fqn, action, attempt, attempts, delay }: EngineEvents["resource:retrying"]): void {
    const key = keyOf(fqn, action);
    const running = this.#running.get(key);
    if (!running) return;
    const retry = { attempt, attempts, at: monotonicNow() + delay };
    this.#running.set(key, { ...running, retry });
  }
}

/** What is made and what is deleted may have one name. */
function keyOf(fqn: string, action: string): string {
  return `${action === "delete" ? "-" : "+"}${fqn}`;
}
