/**
 * Where what is declared together waits for its turn, so that a program may declare any number of resources at once: only
 * some thousand at a time have an intent recorded and wait for a place to run in; the rest waits with its props alone.
 */

/** As many as one append takes. */
const MOST = 4096;

/** Some that are let in together, so that their intents leave in one append. */
interface Group {
  readonly turn: Promise<void>;
  call(): void;
  size: number;
}

export class Entrance {
  /** All that is to be done and has not begun, inside or not. */
  queued = 0;
  /** Those that have come in and whose handlers have not begun. */
  #inside = 0;
  /** First in, first out. */
  readonly #waiting: Group[] = [];

  /** Undefined where there is room at once. */
  enter(): Promise<void> | undefined {
    if (this.#inside < MOST && this.#waiting.length === 0) {
      this.#inside++;
      return undefined;
    }
    const group = this.#last();
    group.size++;
    return group.turn;
  }

  /** One of those inside has begun, or never will. */
  leave(): void {
    this.#inside--;
    if (this.#inside > MOST / 2) return;
    const next = this.#waiting.shift();
    if (!next) return;
    this.#inside += next.size;
    next.call();
  }

  #last(): Group {
    const last = this.#waiting.at(-1);
    if (last && last.size < MOST / 2) return last;
    let call = (): void => {};
    const turn = new Promise<void>((resolve) => {
      call = resolve;
    });
    const group = { turn, call, size: 0 };
    this.#waiting.push(group);
    return group;
  }
}
