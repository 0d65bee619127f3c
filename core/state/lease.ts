/** Heartbeats of one's own session, and watching another's. No wall clock takes part. */
import { setTimeout as sleep } from "node:timers/promises";
import type { LedgerKeys } from "./keys.js";
import type { StateStore } from "./store.js";

/** A counter that grows every quarter of the TTL. A short run ends before the first beat and writes none. */
export class Lease {
  readonly #store: StateStore;
  readonly #key: string;
  readonly #timer: NodeJS.Timeout;
  #beats = 0;
  #writing: Promise<void> | undefined;

  constructor(store: StateStore, keys: LedgerKeys, session: string, ttl: number) {
    this.#store = store;
    this.#key = keys.lease(session);
    this.#timer = setInterval(() => this.#beat(), ttl / 4);
    this.#timer.unref();
  }

  /** Ends the beats; `remove` also takes the lease away. */
  async end(remove: boolean): Promise<void> {
    clearInterval(this.#timer);
    await this.#writing;
    if (remove && this.#beats > 0) await this.#store.delete(this.#key).catch(ignore);
  }

  #beat(): void {
    if (this.#writing) return;
    this.#beats++;
    const done = (): void => {
      this.#writing = undefined;
    };
    // A beat that fails is a beat missed; the fence, not the lease, protects the state.
    this.#writing = this.#store.set(this.#key, String(this.#beats)).then(done, done);
  }
}

function ignore(): void {}

export interface Watched {
  /** Changes whenever the owner shows a sign of life. */
  sign(): Promise<string>;
  readonly ttl: number;
  readonly signal: AbortSignal;
  /** Milliseconds on a monotonic clock. */
  readonly now: () => number;
}

/** Resolves "moved" at the first sign of life, "silent" after a whole TTL without one. */
export async function watch({ sign, ttl, signal, now }: Watched): Promise<"moved" | "silent"> {
  const first = await sign();
  let seen = now();
  let silence = 0;
  for (let pause = Math.min(50, ttl / 20); ; pause = Math.min(pause * 2, ttl / 8)) {
    await sleep(pause, undefined, { signal });
    const present = await sign().catch(() => undefined);
    if (present === undefined) continue; // No answer proves nothing: the gap does not count as silence.
    if (present !== first) return "moved";
    const gap = now() - seen;
    seen = now();
    if (gap <= ttl / 3) silence += gap;
    if (silence >= ttl) return "silent";
  }
}
