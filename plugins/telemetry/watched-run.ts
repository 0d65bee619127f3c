/** Telemetry of one run, from its start until its events are sent or kept. */

import type { ResourceRef } from "../../core/base/index.js";
import type { EventSource } from "../../core/contract/index.js";
import type { Delivery, DeliveryParts } from "./delivery.js";
import { withinHoldTime } from "./hold-time.js";
import { type AnonymousEvent, finished, type RunEnd, type RunStart, started } from "./run-events.js";
import { BUILT_IN_KINDS } from "./switches.js";

/** Outcome of a run, without the kinds, which {@link WatchedRun} counts itself. */
export type Outcome = Omit<RunEnd, "kinds">;

export class WatchedRun {
  readonly #start: RunStart;
  readonly #first: AnonymousEvent;
  readonly #tally: Tally;
  readonly #opening: Promise<Delivery | undefined>;
  #delivery: Delivery | undefined;
  #delivering: Promise<void> | undefined;
  #isOver = false;

  /** @param began time of the monotonic clock */
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

  /** Starts to send the outcome. */
  finish(outcome: Outcome): void {
    const last = finished(this.#start, { ...outcome, kinds: this.#tally.end() });
    this.#delivering ??= this.#deliver([this.#first, last]);
  }

  /** Resolves when the events are sent or kept; undefined if there are none. */
  settled(): Promise<void> | undefined {
    // A failed start emits its event only after it has released everything. An app that ends without an event made no
    // run: `engine drift` is an example.
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
    // The delivery opened too late: it keeps its events.
    if (this.#isOver) delivery?.end();
    await sending;
  }

  #end(): void {
    this.#isOver = true;
    this.#tally.end();
    this.#delivery?.end();
  }
}

// Counts of resources in a run.

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

/** Number of resources that a run finished, by built-in kind; all other kinds count as one. */
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

  /** Stops counting and returns the counts. */
  end(): Readonly<Record<string, number>> {
    this.#stop();
    return Object.fromEntries([...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  }
}
