/** Tracks the present activity of a run from its events, for display on demand. */

import { monotonicNow } from "../../core/base/index.js";
import type { EngineEvents, EventSource, RunStatus } from "../../core/contract/index.js";

/** A handler that is running. */
export interface Running {
  readonly fqn: string;
  readonly action: string;
  /** Time of the monotonic clock, as all times here. */
  readonly since: number;
  /** Set while it waits for a retry. */
  readonly retry?: { readonly attempt: number; readonly attempts: number; readonly at: number };
}

interface Owned {
  readonly owner: string;
  readonly since: number;
}

interface ReadProgress {
  readonly done: number;
  readonly total: number;
  readonly since: number;
}

/** The activity at one moment. */
export interface Snapshot {
  /** Sorted, longest-running first. */
  readonly running: readonly Running[];
  readonly waiting: Owned | undefined;
  readonly reading: ReadProgress | undefined;
  /** True from `engine()` until the state is loaded. */
  readonly isLoading: boolean;
  readonly done: number;
  readonly failed: number;
  /** Number of actions that have not begun. */
  readonly queued: number;
  /** True if they will not begin in this run. */
  readonly isInterrupted: boolean;
}

/** The events that end a run. */
export const ENDS = ["run:finished", "run:failed", "run:repeated"] as const;
const DONE = ["created", "updated", "replaced", "adopted", "unchanged"] as const;

export class Activity {
  readonly #run: RunStatus;
  readonly #running = new Map<string, Running>();
  #waiting: Owned | undefined;
  #reading: ReadProgress | undefined;
  #isLoaded = false;

  constructor(events: EventSource, run: RunStatus) {
    this.#run = run;
    events.on("resource:started", ({ fqn, action }) => {
      this.#reading = undefined;
      this.#running.set(keyOf(fqn, action), { fqn, action, since: monotonicNow() });
    });
    for (const word of DONE) events.on(`resource:${word}`, ({ fqn }) => this.#ended(fqn, "create"));
    events.on("resource:deleted", ({ fqn }) => this.#ended(fqn, "delete"));
    for (const word of ["failed", "stopped"] as const) {
      events.on(`resource:${word}`, ({ fqn, action }) => this.#ended(fqn, action));
    }
    events.on("resource:retrying", (event) => this.#retries(event));
    events.on("resource:looked", ({ total }) => {
      const { done, since } = this.#reading ?? { done: 0, since: monotonicNow() };
      this.#reading = done + 1 < total ? { done: done + 1, total, since } : undefined;
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

  snapshot(): Snapshot {
    const { unchanged, failed, stopped: _stopped, notBegun, ...rest } = this.#run.summary;
    const atWork = new Set(this.#run.atWork);
    // Some actions end without an event, such as an update that becomes a replace.
    const running = [...this.#running.values()].filter(({ fqn, retry }) => retry !== undefined || atWork.has(fqn));
    return {
      running: running.sort((a, b) => a.since - b.since),
      waiting: this.#waiting,
      reading: this.#reading,
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

/** A created and a deleted resource may have the same name. */
function keyOf(fqn: string, action: string): string {
  return `${action === "delete" ? "-" : "+"}${fqn}`;
}
