/** One task on its way: from when it is known, through the admission queue, to the end of its handler. */
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
  /** When the call began that is under way. */
  #began: number | undefined = undefined;
  #hasStarted = false;
  #waited = 0;
  #duration = 0;

  constructor(queue: AdmissionQueue) {
    this.#queue = queue;
    queue.queued++;
  }

  /**
   * Resolves when there is room to write an intent; undefined where there is. A handler that declares something, and waits for it,
   * has lent its own slot to others meanwhile.
   *
   * @throws what the run was interrupted with meanwhile
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

  /** Asks for room to write an intent, once. Undefined where there is room, and where it was asked for before. */
  requestRoom(): Promise<void> | undefined {
    if (this.#stage !== "queued") return undefined;
    this.#stage = "inside";
    return this.#queue.admit();
  }

  /** A call of its handler begins: the first one, or a retry. */
  begin(): void {
    const now = monotonicNow();
    if (!this.#hasStarted) this.#waited = now - this.#queued;
    this.#hasStarted = true;
    this.leave();
    this.#began = now;
  }

  /** That call has ended. */
  end(): void {
    if (this.#began !== undefined) this.#duration += monotonicNow() - this.#began;
    this.#began = undefined;
  }

  /** It waits no more: its handler has begun, or never will. */
  leave(): void {
    if (this.#stage === "over") return;
    this.#queue.queued--;
    if (this.#stage === "inside") this.#queue.leave();
    this.#stage = "over";
  }

  /** A call of its handler has begun. */
  get hasStarted(): boolean {
    return this.#hasStarted;
  }

  /** Milliseconds until its handler began. */
  get waited(): number {
    return this.#waited;
  }

  /** Milliseconds that its handler took, all calls together. */
  get duration(): number {
    return this.#duration;
  }
}

// The queue of tasks that wait for room to write an intent, so that a program may declare any number of resources at
// once. Twice as many as can run have an intent recorded and wait for a slot; the others wait with their props alone.
// Each intent that is recorded without need is a create that the run after a kill takes for one that had perhaps begun.

/**
 * For each handler that may run at once, so many intents are recorded ahead of those that run. The next ones are written while
 * these run, half of them at a time: less, and a slow store keeps quick handlers waiting more than it has to.
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

  /** Undefined where there is room at once. */
  admit(): Promise<void> | undefined {
    if (this.#inside < this.#most && this.#waiting.length === 0) {
      this.#inside++;
      return undefined;
    }
    const group = this.#last();
    group.size++;
    return group.admitted;
  }

  /** The handler of an admitted task has begun, or never will. */
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
