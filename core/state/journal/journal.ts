/**
 * Group commit: changes that gather while one append is under way leave together with the next, up to so many that what
 * is made and held for one append stays small, however much a program declares at once.
 */
import { type Cancel, monotonicNow, platform, withResolvers } from "../../base/index.js";
import type { Change } from "../change.js";

/** `now`: somebody waits for it. `soon`: it may wait for company. */
export type Urgency = "now" | "soon";

/** An append that takes longer than this, in milliseconds, is worth saving. */
const SLOW = 1;
/** How long a result waits for company on a slow store, in milliseconds. */
const SOON = 25;

/** Changes that fill a batch: a few megabytes. What was added together stays together. */
const FULL = 4096;

/** Not a promise where it is done at once. */
type Write = (changes: readonly Change[]) => void | Promise<void>;

interface Batch {
  readonly changes: Change[];
  /** How many of them came together, one number for each time. */
  readonly sizes: number[];
  readonly durable: Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

export class Journal {
  readonly #write: Write;
  /** The oldest first; only the last one takes more. */
  readonly #waiting: Batch[] = [];
  #writing: Batch | undefined;
  /** Came when nothing could be written any more. */
  readonly #late: (readonly Change[])[] = [];
  #urgent = false;
  /** Set while it waits for company. */
  #timer: Cancel | undefined;
  /** Set while it waits for the end of this turn of the event loop. */
  #turn: Cancel | undefined;
  #broken: { readonly error: unknown; readonly rejected: Promise<never> } | undefined;
  /** Milliseconds that the last append took, and the one before it: one slow one among fast ones is an accident. */
  #last: number;
  #before: number;

  /**
   * @param write appends one batch; called for one batch at a time
   * @param isSlow what the store is taken for until two appends have shown what it is
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

  /** True where something waits behind what is being written. */
  get hasQueued(): boolean {
    return this.#waiting.some(({ changes }) => changes.length > 0);
  }

  /** Changes that were queued and are not known to be durable, oldest first, as they were made together. */
  get unwritten(): readonly (readonly Change[])[] {
    return [...partsOf(this.#writing), ...this.#waiting.flatMap(partsOf), ...this.#late];
  }

  /** The batch that takes what comes now. */
  #open(): Batch {
    const last = this.#waiting.at(-1);
    if (last && last.changes.length < FULL) return last;
    // Others wait for room behind a full one, and so does it no longer for company.
    if (last) this.#urgent = true;
    const batch = newBatch();
    this.#waiting.push(batch);
    return batch;
  }

  /** From now on nothing is written; what waits is rejected, and stays in `unwritten`. */
  #fail(error: unknown): void {
    const rejected = Promise.reject(error);
    // As with a batch: whoever relies on it awaits it.
    rejected.catch(() => {});
    this.#broken = { error, rejected };
    this.#unschedule();
    this.#writing?.reject(error);
    for (const batch of this.#waiting) batch.reject(error);
  }

  #schedule(): void {
    if (this.#writing || this.#turn || this.#waiting.length === 0) return;
    if (this.#urgent || Math.min(this.#last, this.#before) <= SLOW) {
      // One turn of the event loop: what the program does in the same turn leaves in the same append.
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
  // Whoever relies on it awaits it; a failure also reaches the run through the ledger.
  durable.catch(() => {});
  return { changes: [], sizes: [], durable, resolve, reject };
}
