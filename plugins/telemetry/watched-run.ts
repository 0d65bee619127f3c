/** One run, from its beginning to when all is told of it that will be. */

import type { ResourceRef } from "../../core/base/index.js";
import type { EventSource } from "../../core/contract/index.js";
import type { Delivery, DeliveryParts } from "./delivery.js";
import { withinHoldTime } from "./hold-time.js";
import { type AnonymousEvent, finished, type RunEnd, type RunStart, started } from "./run-events.js";
import { BUILT_IN_KINDS } from "./switches.js";

/** How a run has ended, but for what it counts by itself. */
export type Outcome = Omit<RunEnd, "kinds">;

export class WatchedRun {
  readonly #start: RunStart;
  readonly #first: AnonymousEvent;
  readonly #tally: Tally;
  readonly #opening: Promise<Delivery | undefined>;
  #delivery: Delivery | undefined;
  #delivering: Promise<void> | undefined;
  #isOver = false;

  /** @param began by the monotonic clock */
  constructor(
    start: RunStart,
    events: EventSource,
    parts: DeliveryParts,
    readonly began: number,
  ) {
    this.#start = start;
    this.#first = started(start);
    this.#tally = new Tally(events);
    this.#opening = this.#open(parts).catch(() => undefined);
  }

  get hasEnded(): boolean {
    return this.#delivering !== undefined;
  }

  /** Begins to tell how it ended. */
  finish(outcome: Outcome): void {
    const last = finished(this.#start, { ...outcome, kinds: this.#tally.end() });
    this.#delivering ??= this.#deliver([this.#first, last]);
  }

  /** Resolves when there is nothing to wait for any more. */
  settled(): Promise<void> | undefined {
    // How a start failed is heard just after it has let go of all. What ends without a word is nobody's run, as a look for drift.
    if (!this.#delivering) setImmediate(() => this.#delivering ?? this.#end());
    return this.#delivering;
  }

  async #open(parts: DeliveryParts): Promise<Delivery | undefined> {
    const { openDelivery } = await import("./delivery.js");
    this.#delivery = await openDelivery(parts);
    if (this.#isOver && this.#delivering === undefined) this.#delivery?.end();
    return this.#delivery;
  }

  async #deliver(events: readonly AnonymousEvent[]): Promise<void> {
    await withinHoldTime(this.#send(events));
    this.#end();
  }

  async #send(events: readonly AnonymousEvent[]): Promise<void> {
    const delivery = await this.#opening;
    const sending = delivery?.send(events);
    // It was long in coming: what it has is kept.
    if (this.#isOver) delivery?.end();
    await sending;
  }

  #end(): void {
    this.#isOver = true;
    this.#tally.end();
    this.#delivery?.end();
  }
}

// Counts what is done to resources in a run.

const ENDS = [
  "resource:created",
  "resource:updated",
  "resource:replaced",
  "resource:adopted",
  "resource:deleted",
  "resource:read",
  "resource:unchanged",
  "resource:retained",
  "resource:failed",
] as const;

/** How many resources of each built-in kind a run has come to an end with; those of all others in one. */
class Tally {
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
