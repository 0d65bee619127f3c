/** What other resources of the stage a declaration mentions, in its props or by `dependsOn`. */

import type { InputWatcher } from "../codec/index.js";
import { isPendingResource, keyIn } from "../contract/index.js";
import { type App, appOf } from "./app.js";
import type { Waits } from "./waits.js";

const NONE: ReadonlySet<string> = new Set();
const NO_UIDS: readonly string[] = [];

export class References implements InputWatcher {
  readonly #app: App;
  readonly #key: string;
  /** Those of the generation that it was declared in: what it waits for may settle later. */
  readonly #waits: Waits;
  #keys: Set<string> | undefined = undefined;

  constructor(app: App, key: string) {
    this.#app = app;
    this.#key = key;
    this.#waits = app.generation.waits;
  }

  get keys(): ReadonlySet<string> {
    return this.#keys ?? NONE;
  }

  seen(object: object): void {
    const origin = originOf(this.#app, object);
    if (origin === undefined) return;
    this.#keys ??= new Set();
    this.#keys.add(origin);
  }

  waiting(promises: ReadonlySet<object>): void {
    this.#waits.changed(this.#key, promises);
  }

  /** Sorted; without itself, which a second declaration of one id may mention. */
  uids(): readonly string[] {
    if (!this.#keys) return NO_UIDS;
    const { contents } = this.#app.ledger;
    const { selection } = this.#app.generation.bounds;
    const others = [...this.#keys].filter((other) => other !== this.#key);
    return others.flatMap((other) => contents.at(selection?.recordedKey(other) ?? other)?.uid ?? []).sort();
  }
}

/** Key of the resource that an object stands for: a pending resource, or an output that one gave. */
export function originOf(app: App, object: object): string | undefined {
  const key = app.outputs.get(object);
  if (key !== undefined || !isPendingResource(object)) return key;
  const { scope, id } = object;
  return appOf(scope) === app ? keyIn(scope, id) : undefined;
}
