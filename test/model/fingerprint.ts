import type { Client, State } from "./state.js";

const STEPS: Record<Client["step"], number> = {
  idle: 0,
  probe: 1,
  get: 2,
  read: 3,
  reread: 4,
  verify: 5,
  doubt: 6,
  open: 7,
  "open-back": 8,
  "verify-open": 9,
  run: 10,
  "append-open": 11,
  write: 12,
  look: 13,
  "create-next": 14,
  "next-back": 15,
  checkpoint: 16,
  "trim-plan": 17,
  trim: 18,
  ask: 19,
  "own-back": 20,
  "list-again": 21,
  "read-base": 22,
};
const ROLES: Record<Client["role"], number> = { writer: 0, reader: 1, helper: 2 };
const KINDS = { create: 0, checkpoint: 1, remove: 2 } as const;

/** Two lanes of 32 bits, mixed differently, so that two states count as one only by a 64-bit accident. */
class Lanes {
  high = 0x9e3779b9 | 0;
  low = 0x85ebca6b | 0;

  add(value: number): void {
    this.high = Math.imul(this.high ^ value, 0x01000193);
    this.high = (this.high << 13) | (this.high >>> 19);
    this.low = Math.imul(this.low + value, 0xcc9e2d51 | 0);
    this.low ^= this.low >>> 15;
  }

  /** Spreads the last values over all bits. */
  finish(): void {
    this.high = spread(this.high ^ Math.imul(this.low, 0x27d4eb2f));
    this.low = spread(this.low + this.high);
  }

  reset(): void {
    this.high = 0x9e3779b9 | 0;
    this.low = 0x85ebca6b | 0;
  }
}

function spread(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b | 0);
  return mixed ^ (mixed >>> 16);
}

const whole = new Lanes();
const part = new Lanes();

function addClient(lanes: Lanes, c: Client): void {
  lanes.add(STEPS[c.step] + 32 * ROLES[c.role] + (c.grows ? 128 : 0) + (c.absent ? 256 : 0) + (c.again ? 512 : 0));
  lanes.add(c.base + 32 * c.stale);
  lanes.add(c.baseHistory);
  lanes.add(c.checkpoint + 4096 * c.key);
  lanes.add(c.target + 32 * (c.left + 1) + 1024 * c.session);
  lanes.add(c.sure);
  lanes.add(c.since);
  lanes.add(c.known);
  lanes.add(c.own);
  lanes.add(c.pending);
  lanes.add(c.handle);
  lanes.add(c.mark);
  lanes.add(c.view.length);
  for (const content of c.view) lanes.add(content);
  for (const key of c.plan) lanes.add(key);
}

/**
 * The set of the states seen. Clients and late requests are summed, not listed: states that differ only in which of two
 * equal clients did something are one state.
 */
export class SeenStates {
  #high = new Int32Array(1 << 16);
  #low = new Int32Array(1 << 16);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** True if the state was not in the set yet. */
  add(state: State): boolean {
    whole.reset();
    for (const content of state.journal) whole.add(content);
    for (const checkpoint of state.checkpoints) whole.add(checkpoint);
    whole.add(state.truth);
    whole.add(state.past + (state.forged << 24));
    whole.add(state.sessions);
    whole.finish();
    let { high, low } = whole;
    for (const client of state.clients) {
      part.reset();
      addClient(part, client);
      part.finish();
      high = (high + part.high) | 0;
      low = (low + part.low) | 0;
    }
    for (const request of state.late) {
      part.reset();
      part.add(7 + KINDS[request.kind]);
      part.add(request.seq);
      part.add(request.value);
      part.add(request.known);
      part.finish();
      high = (high + part.high) | 0;
      low = (low + part.low) | 0;
    }
    if (this.#size * 2 > this.#high.length) this.#grow();
    if (!this.#put(high, low === 0 ? 1 : low)) return false;
    this.#size++;
    return true;
  }

  #put(high: number, low: number): boolean {
    const mask = this.#high.length - 1;
    let slot = (high ^ Math.imul(low, 0x9e3779b1)) & mask;
    while (this.#low[slot] !== 0) {
      if (this.#low[slot] === low && this.#high[slot] === high) return false;
      slot = (slot + 1) & mask;
    }
    this.#high[slot] = high;
    this.#low[slot] = low;
    return true;
  }

  #grow(): void {
    const high = this.#high;
    const low = this.#low;
    this.#high = new Int32Array(high.length * 2);
    this.#low = new Int32Array(low.length * 2);
    for (let slot = 0; slot < low.length; slot++) {
      const kept = low[slot] ?? 0;
      if (kept !== 0) this.#put(high[slot] ?? 0, kept);
    }
  }
}
