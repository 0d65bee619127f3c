/** Virtual time, which passes when nothing is left to do at the present moment. */

/** A scheduled call. */
interface Happening {
  readonly at: number;
  /** Of two calls at one moment, the lower number comes first. */
  readonly order: number;
  act: (() => void) | undefined;
}

export class VirtualTime {
  /** Milliseconds since the beginning. */
  now = 0;
  #count = 0;
  /** A binary heap: each call comes no later than the two below it. */
  readonly #queue: Happening[] = [];

  /** @returns a function that cancels the call */
  at(moment: number, act: () => void): () => void {
    const happening: Happening = { at: Math.max(moment, this.now), order: this.#count++, act };
    this.#push(happening);
    return () => {
      happening.act = undefined;
    };
  }

  /** Makes the next call. Returns false if there is none. */
  step(): boolean {
    for (let next = this.#pop(); next; next = this.#pop()) {
      if (!next.act) continue;
      // A call may have advanced the time itself.
      this.now = Math.max(this.now, next.at);
      next.act();
      return true;
    }
    return false;
  }

  /** Cancels all calls. */
  clear(): void {
    this.#queue.length = 0;
  }

  #push(happening: Happening): void {
    const queue = this.#queue;
    let at = queue.push(happening) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = queue[above];
      if (!parent || isBefore(parent, happening)) break;
      queue[at] = parent;
      at = above;
    }
    queue[at] = happening;
  }

  #pop(): Happening | undefined {
    const queue = this.#queue;
    const first = queue[0];
    const last = queue.pop();
    if (!first || !last || queue.length === 0) return first;
    let at = 0;
    for (;;) {
      const left = queue[2 * at + 1];
      const right = queue[2 * at + 2];
      const isRight = left !== undefined && right !== undefined && isBefore(right, left);
      const child = isRight ? right : left;
      if (!child || isBefore(last, child)) break;
      queue[at] = child;
      at = 2 * at + (isRight ? 2 : 1);
    }
    queue[at] = last;
    return first;
  }
}

function isBefore(one: Happening, other: Happening): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
