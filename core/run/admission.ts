/** One task from its declaration through the admission queue to the end of its handler. */
import { monotonicNow, withResolvers } from "../base/index.js";
import { INTERNALS, type Scope } from "../contract/index.js";

interface Declaring {
  readonly app: { readonly signal: AbortSignal };
  readonly scope: Scope;
}

export class Admission {
  readonly #queue: AdmissionQueue;
  readonly #queued = monotonicNow();
  #stage: "queued" | "inside" | "over" = "queued";
  /** Start of the present call. */
  #began: number | undefined = undefined;
  #hasStarted = false;
  #waited = 0;
  #duration = 0;

  constructor(queue: AdmissionQueue) {
    this.#queue = queue;
    queue.queued++;
  }

  /**
   * Resolves when an intent may be written; undefined if it may be at once. A handler that declares a resource and
   * waits for it lends its own slot to others meanwhile.
   *
   * @throws the reason if the run was interrupted meanwhile
   */
  admit({ app, scope }: Declaring): Promise<void> | undefined {
    const admitted = this.requestRoom();
    if (!admitted) return undefined;
    const slot = scope[INTERNALS].resource?.slot;
    slot?.lend();
    return admitted.then(() => {
      slot?.giveBack();
      app.signal.throwIfAborted();
    });
  }

  /** Asks once for room to write an intent. Undefined if there is room, or if it was asked before. */
  requestRoom(): Promise<void> | undefined {
    if (this.#stage !== "queued") return undefined;
    this.#stage = "inside";
    return this.#queue.admit();
  }

  /** Notes that a call of its handler begins: the first one, or a retry. */
  begin(): void {
    const now = monotonicNow();
    if (!this.#hasStarted) this.#waited = now - this.#queued;
    this.#hasStarted = true;
    this.leave();
    this.#began = now;
  }

  /** Notes that this call has ended. */
  end(): void {
    if (this.#began !== undefined) this.#duration += monotonicNow() - this.#began;
    this.#began = undefined;
  }

  /** Ends the wait: its handler has begun, or never will. */
  leave(): void {
    if (this.#stage === "over") return;
    this.#queue.queued--;
    if (this.#stage === "inside") this.#queue.leave();
    this.#stage = "over";
  }

  /** True if a call of its handler has begun. */
  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** Milliseconds until its handler began. */
  get waited(): number {
    return this.#waited;
  }

  /** Milliseconds of all calls of its handler. */
  get duration(): number {
    return this.#duration;
  }
}

// The queue of tasks that wait for room to write an intent, so that a program may declare any number of resources at
// once. Twice as many as can run have an intent and wait for a slot; the others wait with only their props. Each
// unnecessary intent is a create that the run after a kill treats as one that may have begun.

/**
 * Number of intents recorded ahead, per handler that may run at once. The next ones are written while these run, half
 * of them at a time: with fewer, a slow store would keep quick handlers waiting.
 */
const AHEAD = 2;

/** Tasks that are admitted together, so that their intents leave in one append. */
interface Group {
  readonly admitted: Promise<void>;
  call(): void;
  size: number;
}

export class AdmissionQueue {
  /** Number of tasks whose handlers have not begun, admitted or not. */
  queued = 0;
  /** Number of admitted tasks whose handlers have not begun. */
  #inside = 0;
  readonly #most: number;
  /** First in, first out. */
  readonly #waiting: Group[] = [];

  /** @param concurrency how many handlers may run at once */
  constructor(concurrency: number) {
    this.#most = AHEAD * concurrency;
  }

  /** Returns undefined if there is room at once. */
  admit(): Promise<void> | undefined {
    if (this.#inside < this.#most && this.#waiting.length === 0) {
      this.#inside++;
      return undefined;
    }
    const group = this.#last();
    group.size++;
    return group.admitted;
  }

  /** Notes that the handler of an admitted task has begun, or never will. */
  leave(): void {
    this.#inside--;
    if (this.#inside > this.#most / 2) return;
    const next = this.#waiting.shift();
    if (!next) return;
    this.#inside += next.size;
    next.call();
  }

  #last(): Group {
    const last = this.#waiting.at(-1);
    if (last && last.size < this.#most / 2) return last;
    const { promise: admitted, resolve: call } = withResolvers<void>();
    const group = { admitted, call, size: 0 };
    this.#waiting.push(group);
    return group;
  }
}
