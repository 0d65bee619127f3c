/**
 * Group commit: changes that arrive during one append leave together with the next. The size of a batch is limited, so
 * that one append stays small however much a program declares at once.
 */
import { type Cancel, monotonicNow, platform, withResolvers } from "../../base/index.js";
import type { Change } from "../change.js";

/** `now`: a caller waits for it. `soon`: it may wait for further changes. */
export type Urgency = "now" | "soon";

/** Appends that take longer than this, in milliseconds, are worth combining. */
const SLOW = 1;
/** Time that a result waits for further changes on a slow store, in milliseconds. */
const SOON = 25;

/** Number of changes that fill a batch, a few megabytes. Changes that were added together stay together. */
const FULL = 4096;

/** Returns a promise only if the store needs time. */
type Write = (changes: readonly Change[]) => void | Promise<void>;

interface Batch {
  readonly changes: Change[];
  /** Sizes of the groups that were added together. */
  readonly sizes: number[];
  readonly durable: Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

export class Journal {
  readonly #write: Write;
  /** Oldest first; only the last one accepts more changes. */
  readonly #waiting: Batch[] = [];
  #writing: Batch | undefined;
  /** Changes that arrived when writing had become impossible. */
  readonly #late: (readonly Change[])[] = [];
  #urgent = false;
  /** Set while the journal waits for further changes. */
  #timer: Cancel | undefined;
  /** Set while the journal waits for the end of this turn of the event loop. */
  #turn: Cancel | undefined;
  #broken: { readonly error: unknown; readonly rejected: Promise<never> } | undefined;
  /** Milliseconds of the last append and the one before: a single slow one among fast ones is ignored. */
  #last: number;
  #before: number;

  /**
   * @param write appends one batch; called for one batch at a time
   * @param isSlow assumption about the store until two appends have been measured
   */
  constructor(write: Write, { isSlow }: { readonly isSlow: boolean }) {
    this.#write = write;
    this.#last = isSlow ? Number.POSITIVE_INFINITY : 0;
    this.#before = this.#last;
  }

  /** Queues changes; resolves when they, and all queued earlier, are durable. */
  add(changes: readonly Change[], urgency: Urgency): Promise<void> {
    if (this.#broken) {
      if (changes.length > 0) this.#late.push([...changes]);
      return this.#broken.rejected;
    }
    const batch = this.#open();
    for (const change of changes) batch.changes.push(change);
    batch.sizes.push(changes.length);
    if (urgency === "now") this.#urgent = true;
    this.#schedule();
    return batch.durable;
  }

  /** Resolves when everything queued so far is durable. */
  async drain(): Promise<void> {
    if (this.#broken) throw this.#broken.error;
    const last = this.#waiting.at(-1);
    if (!last) return this.#writing?.durable;
    this.#urgent = true;
    this.#schedule();
    return last.durable;
  }

  /** True if changes wait for the current append to end. */
  get hasQueued(): boolean {
    return this.#waiting.some(({ changes }) => changes.length > 0);
  }

  /** Changes that wait for the current append to end, oldest first. */
  get queued(): readonly Change[] {
    return this.#waiting.flatMap(({ changes }) => changes);
  }

  /** Queued changes that are not known to be durable, oldest first, grouped as they were added. */
  get unwritten(): readonly (readonly Change[])[] {
    return [...partsOf(this.#writing), ...this.#waiting.flatMap(partsOf), ...this.#late];
  }

  /** Returns the batch for new changes. */
  #open(): Batch {
    const last = this.#waiting.at(-1);
    if (last && last.changes.length < FULL) return last;
    // A full batch, and those that wait for it, wait no longer for further changes.
    if (last) this.#urgent = true;
    const batch = newBatch();
    this.#waiting.push(batch);
    return batch;
  }

  /** Rejects everything that waits and refuses further writes; unwritten changes stay in `unwritten`. */
  #fail(error: unknown): void {
    const rejected = Promise.reject(error);
    // Handled where the batch is awaited.
    rejected.catch(() => {});
    this.#broken = { error, rejected };
    this.#unschedule();
    this.#writing?.reject(error);
    for (const batch of this.#waiting) batch.reject(error);
  }

  #schedule(): void {
    if (this.#writing || this.#turn || this.#waiting.length === 0) return;
    if (this.#urgent || Math.min(this.#last, this.#before) <= SLOW) {
      // One turn of the event loop: changes that the program makes in the same turn leave in the same append.
      this.#unschedule();
      this.#turn = platform().nextTurn(() => this.#flush());
    } else this.#timer ??= platform().after(SOON, () => this.#flush());
  }

  #unschedule(): void {
    this.#timer?.();
    this.#turn?.();
    this.#timer = undefined;
    this.#turn = undefined;
  }

  #flush(): void {
    this.#unschedule();
    if (this.#writing) return;
    const batch = this.#waiting.shift();
    if (!batch) return;
    this.#writing = batch;
    this.#urgent = this.#waiting.length > 0;
    const started = monotonicNow();
    const done = (): void => {
      this.#before = this.#last;
      this.#last = monotonicNow() - started;
      this.#writing = undefined;
      batch.resolve();
      this.#schedule();
    };
    try {
      const writing = this.#write(batch.changes);
      if (writing === undefined) done();
      else writing.then(done, (error: unknown) => this.#fail(error));
    } catch (error) {
      this.#fail(error);
    }
  }
}

function partsOf(batch: Batch | undefined): readonly (readonly Change[])[] {
  if (!batch) return [];
  let end = 0;
  return batch.sizes.map((size) => {
    end += size;
    return batch.changes.slice(end - size, end);
  });
}

function newBatch(): Batch {
  const { promise: durable, resolve, reject } = withResolvers<void>();
  // Handled where the batch is awaited; a failure also reaches the run through the ledger.
  durable.catch(() => {});
  return { changes: [], sizes: [], durable, resolve, reject };
}
