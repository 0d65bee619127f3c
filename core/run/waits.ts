/** What declarations wait for before they are ready: promises in their props. */

import { isPendingResource, keyIn, type PendingResource } from "../contract/index.js";
import { type DeferredQueue, hostOf } from "../scope/index.js";

export class Waits {
  readonly #deferred: DeferredQueue;
  /** Promises that have not settled, by the key of the resource whose declaration waits for them. */
  readonly #inputs = new Map<string, ReadonlySet<object>>();
  readonly #watchers = new Set<() => void>();

  constructor(deferred: DeferredQueue) {
    this.#deferred = deferred;
  }

  /** Tells what the declaration under a key waits for now; the set may change, and is told again when it has. */
  changed(key: string, inputs: ReadonlySet<object>): void {
    if (inputs.size > 0) this.#inputs.set(key, inputs);
    else if (this.#inputs.get(key) === inputs) this.#inputs.delete(key);
    for (const look of this.#watchers) look();
  }

  hasInputs(pending: PendingResource<unknown>): boolean {
    return this.#inputs.has(keyOf(pending));
  }

  /** True where a declaration waits, by itself or behind others, for nothing but functions that have yet to begin. */
  isDeferred(pending: PendingResource<unknown>): boolean {
    if (this.#inputs.size === 0) return false;
    let isAhead = false;
    const reached = new Set([keyOf(pending)]);
    for (const key of reached) {
      const inputs = this.#inputs.get(key);
      if (!inputs) return false;
      for (const input of inputs) {
        if (this.#deferred.isAhead(input)) isAhead = true;
        else if (this.#isOwn(input)) reached.add(keyOf(input));
        else return false;
      }
    }
    return isAhead;
  }

  /** Resolves when a declaration has settled one way or the other, or `isDeferred`. */
  rest(pending: PendingResource<unknown>): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        this.#watchers.delete(look);
        resolve();
      };
      const look = (): void => {
        if (this.isDeferred(pending)) end();
      };
      this.#watchers.add(look);
      pending.then(end, end);
      look();
    });
  }

  #isOwn(input: object): input is PendingResource<unknown> {
    return isPendingResource(input) && hostOf(input.scope).generation.waits === this;
  }
}

function keyOf({ scope, id }: PendingResource<unknown>): string {
  return keyIn(scope, id);
}
