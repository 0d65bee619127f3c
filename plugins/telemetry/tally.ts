/** Counts what is done to resources in a run. */

import type { ResourceRef } from "../../core/base/index.js";
import type { EventSource } from "../../core/contract/index.js";
import { BUILT_IN_KINDS } from "./built-in.js";

const ENDS = [
  "resource:created",
  "resource:updated",
  "resource:replaced",
  "resource:adopted",
  "resource:deleted",
  "resource:read",
  "resource:skipped",
  "resource:retained",
  "resource:failed",
] as const;

/** How many resources of each built-in kind a run has come to an end with; those of all others in one. */
export class Tally {
  readonly #counts = new Map<string, number>();
  readonly #stop: () => void;

  constructor(events: EventSource) {
    const count = ({ kind }: ResourceRef): void => {
      const name = BUILT_IN_KINDS.includes(kind) ? kind : "other";
      this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    };
    for (const name of ENDS) events.on(name, count);
    this.#stop = () => {
      for (const name of ENDS) events.off(name, count);
    };
  }

  /** Counts no more. */
  end(): Readonly<Record<string, number>> {
    this.#stop();
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
