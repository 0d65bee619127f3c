/** Where resources stand that have become ready since one was last done: what becomes ready now does so together with them. Pure. */

import type { Position } from "../contract/index.js";
import { comparePositions } from "./positions.js";

export class Together {
  /** In the order in which they became ready. Where nothing is to be placed, nobody looks at them. */
  readonly #positions: Position[] = [];
  readonly #texts = new Set<string>();
  /** How many of the positions have a text. */
  #read = 0;
  /** What was found the last time. */
  #found: { readonly low: Position; readonly last: Position | undefined } | undefined;

  add(ready: Position): void {
    this.#positions.push(ready);
  }

  /** Something is done: what becomes ready from now on may have been made from it. */
  clear(): void {
    if (this.#positions.length === 0) return;
    this.#positions.length = 0;
    this.#texts.clear();
    this.#read = 0;
    this.#found = undefined;
  }

  /**
   * The last of the positions above `low` that nothing else stands before; undefined where there is none.
   *
   * @param next the first end of an interval above a position
   */
  lastAbove(low: Position, next: (from: Position) => Position | undefined): Position | undefined {
    if (this.#positions.length === 0) return undefined;
    for (; this.#read < this.#positions.length; this.#read++) this.#texts.add(String(this.#positions[this.#read]));
    const isSame = this.#found !== undefined && comparePositions(this.#found.low, low) === 0;
    let last = isSame ? this.#found?.last : undefined;
    for (let end = next(last ?? low); end && this.#texts.has(String(end)); end = next(end)) last = end;
    this.#found = { low, last };
    return last;
  }
}
