/** The traffic of a proxy. */
import type { Fault } from "./fault.js";

export interface Counts {
  readonly connections: number;
  readonly requests: number;
  /** Requests by method, or command. */
  readonly byKind: Readonly<Record<string, number>>;
  readonly faults: Readonly<Partial<Record<Fault["kind"], number>>>;
  /** Bytes from clients. */
  readonly bytesUp: number;
  /** Bytes to clients. */
  readonly bytesDown: number;
}

export class Counter {
  #counts: Counts = Counter.#none();

  static #none(): Counts {
    return { connections: 0, requests: 0, byKind: {}, faults: {}, bytesUp: 0, bytesDown: 0 };
  }

  get counts(): Counts {
    return this.#counts;
  }

  reset(): void {
    this.#counts = Counter.#none();
  }

  connection(): void {
    this.#set({ connections: this.#counts.connections + 1 });
  }

  request(kind: string, fault: Fault["kind"] | undefined): void {
    const { requests, byKind, faults } = this.#counts;
    this.#set({
      requests: requests + 1,
      byKind: { ...byKind, [kind]: (byKind[kind] ?? 0) + 1 },
      ...(fault === undefined ? {} : { faults: { ...faults, [fault]: (faults[fault] ?? 0) + 1 } }),
    });
  }

  bytes(direction: "bytesUp" | "bytesDown", count: number): void {
    this.#set({ [direction]: this.#counts[direction] + count });
  }

  #set(changed: Partial<Counts>): void {
    this.#counts = { ...this.#counts, ...changed };
  }
}
