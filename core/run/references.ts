/** What other resources of the stage a declaration mentions, in its props or by `dependsOn`. */

import { EngineError } from "../base/index.js";
import type { InputWatcher } from "../codec/index.js";
import { fqnIn, isPendingResource, keyIn } from "../contract/index.js";
import { type App, appOf } from "./app.js";
import type { Declared, InputWaits } from "./waits.js";

const NONE: ReadonlySet<string> = new Set();
const NO_UIDS: readonly string[] = [];

export class References implements InputWatcher {
  readonly #app: App;
  readonly #key: string;
  readonly #declared: Declared;
  /** Those of the run that it was declared in: what it waits for may settle later. */
  readonly #waits: InputWaits;
  #keys: Set<string> | undefined = undefined;

  /** Of a member of an output; undefined where the program has read none. */
  value: ((value: unknown) => void) | undefined = undefined;

  /** @param declared gets this as its `references` where it refers to anything, which few do */
  constructor(app: App, key: string, declared: Declared) {
    this.#app = app;
    this.#key = key;
    this.#declared = declared;
    this.#waits = app.run.waits;
    if (app.run.members.size > 0) this.#watchMembers();
  }

  /** To look up each text and number costs time: it is done only if the program has read members. */
  #watchMembers(): void {
    const { members } = this.#app.run;
    if (members.size === 0 || this.value) return;
    this.value = (value) => {
      for (const origin of members.get(value) ?? NONE) this.#refer(origin);
    };
  }

  get keys(): ReadonlySet<string> {
    return this.#keys ?? NONE;
  }

  seen(object: object): void {
    const origin = originOf(this.#app, object);
    if (origin !== undefined) this.#refer(origin);
  }

  #refer(origin: string): void {
    this.#keys ??= new Set();
    this.#keys.add(origin);
    this.#declared.references = this;
  }

  waiting(promises: ReadonlySet<object>): void {
    // What a promise resolves to may be the first member that the program has read.
    this.#watchMembers();
    this.#waits.changed(this.#key, promises);
  }

  /** Sorted; without itself, which a second declaration of one id may mention. */
  uids(): readonly string[] {
    if (!this.#keys) return NO_UIDS;
    const { contents } = this.#app.ledger;
    return this.#recorded(this.#keys)
      .flatMap((key) => contents.at(key)?.uid ?? [])
      .sort();
  }

  /**
   * A promise in the props may have resolved to what was deleted while it was waited for: `engine.destroy()` cannot wait for
   * it, for it may wait for that very call.
   *
   * @throws EngineError `INVALID_PROPS`
   */
  refuseDestroyed(): void {
    const { destroyed } = this.#app.run;
    if (!this.#keys || destroyed.size === 0) return;
    const key = this.#recorded(this.#keys).find((one) => destroyed.has(one));
    // A create that is called again in order to be deleted makes its parts beside what is deleted with it.
    if (key === undefined || this.#app.run.isSettling(this.#key)) return;
    throw new EngineError(
      "INVALID_PROPS",
      `it refers to "${fqnIn(this.#app.root, key)}", which engine.destroy() has deleted. Declare that again first, or pass on only those of its values that are still of use.`,
    );
  }

  #recorded(keys: ReadonlySet<string>): readonly string[] {
    const { selection } = this.#app.run.bounds;
    const others = [...keys].filter((other) => other !== this.#key);
    return selection ? others.map((other) => selection.recordedKey(other) ?? other) : others;
  }
}

/** Key of the resource that an object stands for: a pending resource, or an output that one gave. */
export function originOf(app: App, object: object): string | undefined {
  const key = app.outputs.get(object);
  if (key !== undefined || !isPendingResource(object)) return key;
  const { scope, id } = object;
  return appOf(scope) === app ? keyIn(scope, id) : undefined;
}
