/** Declarations that have not settled: their references, and the promises in their props that they wait for. */
import { below, type CallSite, EngineError, platform } from "../base/index.js";
import type { InputWatcher } from "../codec/index.js";
import {
  folderOf,
  fqnIn,
  INTERNALS,
  idOf,
  isPendingResource,
  keyIn,
  type PendingIdentity,
  type PendingResource,
  type ResourceOptions,
  type ResourceRecord,
  runningHandlerOf,
  type Scope,
} from "../contract/index.js";
import type { Placement } from "../order/index.js";
import { type App, appOf } from "./app.js";
import type { DeferredQueue } from "./deferred.js";

type Referring = Pick<ResourceRecord, "key" | "refs">;

export class InputWaits {
  readonly #deferred: DeferredQueue;
  readonly #unsettled = new Set<Declared>();
  /** Unsettled promises, by the key of the resource whose declaration waits for them. */
  readonly #inputs = new Map<string, ReadonlySet<object>>();
  readonly #watchers = new Set<() => void>();
  /** References of unsettled declarations, as far as their props are known; few have any. */
  readonly #references = new Map<Declared, References>();

  constructor(deferred: DeferredQueue) {
    this.#deferred = deferred;
  }

  add(declared: Declared): void {
    this.#unsettled.add(declared);
  }

  /** Notes that it has settled. */
  delete(declared: Declared): void {
    this.#unsettled.delete(declared);
    if (this.#references.size > 0) this.#references.delete(declared);
  }

  /** Notes that a declaration refers to a resource. */
  refers(declared: Declared, references: References): void {
    this.#references.set(declared, references);
  }

  has(declared: Declared): boolean {
    return this.#unsettled.has(declared);
  }

  /** Returns the declarations below a path that have not settled. */
  unsettled(isBelow: (path: string) => boolean): readonly PendingResource<unknown>[] {
    return [...this.#unsettled].flatMap(({ pending, path }) => (pending && isBelow(path) ? pending : []));
  }

  /** Returns unsettled declarations outside of a path, with their references as far as their props are known. */
  referring(isBelow: (path: string) => boolean): readonly Referring[] {
    const found: Referring[] = [];
    for (const [declared, references] of this.#references) {
      // A promise in the props of one that has failed may still bring a reference.
      const pending = this.#unsettled.has(declared) && !isBelow(declared.path) ? declared.pending : undefined;
      const refs = pending ? references.uids() : NO_UIDS;
      if (pending && refs.length > 0) found.push({ key: keyOf(pending), refs });
    }
    return found;
  }

  /**
   * Resolves when every declaration below a path, including later ones, has settled or waits only for deferred
   * functions.
   */
  async settled(isBelow: (path: string) => boolean): Promise<void> {
    for (let found = true; found; ) {
      // One turn of the event loop: code that waited for the last of them may declare more.
      await new Promise<void>((resolve) => platform().nextTurn(resolve));
      found = false;
      // Declarations made meanwhile come last in the set, so this pass waits for them, too.
      for (const { pending, path } of this.#unsettled) {
        if (!pending || !isBelow(path) || this.isDeferred(pending)) continue;
        found = true;
        await this.rest(pending);
      }
    }
  }

  /** Notes the promises that a declaration waits for now; called again whenever the set has changed. */
  changed(key: string, inputs: ReadonlySet<object>): void {
    if (inputs.size > 0) this.#inputs.set(key, inputs);
    else if (this.#inputs.get(key) === inputs) this.#inputs.delete(key);
    for (const look of this.#watchers) look();
  }

  hasInputs(pending: PendingResource<unknown>): boolean {
    return this.#inputs.has(keyOf(pending));
  }

  /** True if a declaration waits, directly or indirectly, only for functions that have not begun. */
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

  /** Resolves when a declaration has settled, or `isDeferred`. */
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
    return isPendingResource(input) && appOf(input.scope).run.waits === this;
  }
}

function keyOf({ scope, id }: PendingResource<unknown>): string {
  return keyIn(scope, id);
}

/**
 * One call of a resource type in the program. The run keeps it to its end, so it refers to nothing that only an
 * unsettled declaration needs.
 */
export class Declared implements PendingIdentity {
  /** The scope that it was declared in. */
  readonly scope: Scope;
  readonly kind: string;
  readonly id: string;
  /** Undefined if it is not kept. */
  readonly site: CallSite | undefined;
  readonly options: ResourceOptions;
  /** Set before the first await. */
  pending: PendingResource<unknown> | undefined = undefined;
  /** Called when the declaration resolves to the program, to note that in the order. */
  settle: ((placement: Placement) => unknown) | undefined = undefined;
  /** True if it has failed, or was left out before it existed; a destroy creates nothing. */
  isUndone = false;
  /** True once its props are known and compared with the record. */
  isDecided = false;

  constructor({ scope, kind, id }: PendingIdentity, options: ResourceOptions, site: CallSite | undefined) {
    this.scope = scope;
    this.kind = kind;
    this.id = id;
    this.options = options;
    this.site = site;
  }

  get path(): string {
    return this.scope[INTERNALS].path;
  }
}

const NONE: ReadonlySet<string> = new Set();
const NO_UIDS: readonly string[] = [];

/** The other resources of the stage that a declaration mentions, in its props or in `dependsOn`. */
export class References implements InputWatcher {
  readonly #app: App;
  readonly #key: string;
  readonly #declared: Declared;
  /** The waits of the run that declared it: its promises may settle later. */
  readonly #waits: InputWaits;
  #keys: Set<string> | undefined = undefined;

  /** Called for a member of an output; undefined if the program has read none. */
  value: ((value: unknown) => void) | undefined = undefined;

  constructor(app: App, key: string, declared: Declared) {
    this.#app = app;
    this.#key = key;
    this.#declared = declared;
    this.#waits = app.run.waits;
    if (app.run.members.size > 0) this.#watchMembers();
  }

  /** Looking up each text and number costs time, so it is done only if the program has read members. */
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
    if (this.#keys === undefined) {
      this.#keys = new Set();
      this.#waits.refers(this.#declared, this);
    }
    this.#keys.add(origin);
  }

  waiting(promises: ReadonlySet<object>): void {
    // A promise may resolve to the first member that the program has read.
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
   * Refuses references to deleted resources. A promise in the props may have resolved to a resource that was deleted
   * meanwhile: `engine.destroy()` cannot wait for it, because it may wait for that very call.
   *
   * @throws EngineError `INVALID_PROPS`
   */
  refuseDestroyed(): void {
    const { destroyed } = this.#app.run;
    if (!this.#keys || destroyed.size === 0) return;
    const key = this.#recorded(this.#keys).find((one) => destroyed.has(one));
    // A create that is called again in order to be deleted declares its children while its dependencies are deleted.
    if (key === undefined || this.#app.run.isSettling(this.#key)) return;
    throw new EngineError(
      "INVALID_PROPS",
      `it refers to "${fqnIn(this.#app.root, key)}", which engine.destroy() has deleted. Declare that resource again first, or pass only values that are still valid.`,
    );
  }

  #recorded(keys: ReadonlySet<string>): readonly string[] {
    const { selection } = this.#app.run.bounds;
    const others = [...keys].filter((other) => other !== this.#key);
    return selection ? others.map((other) => selection.recordedKey(other) ?? other) : others;
  }
}

/**
 * @param call of a scope, which waits for all declarations in it
 * @throws EngineError `INVALID_CALL` in a handler of a resource that is in the scope, or below it
 */
export function refuseInside(scope: Scope, call: string): void {
  const key = runningHandlerOf(scope.root);
  if (key === undefined || !below(scope[INTERNALS].path)(folderOf(key))) return;
  const fqn = fqnIn(scope.root, key);
  throw new EngineError(
    "INVALID_CALL",
    `${call} was called by the handler of "${fqn}" and would wait for that handler. Call it after the program has declared everything.`,
    { fqn },
  );
}

/** @throws EngineError `INVALID_CALL` if a handler declares its own resource again: that would never end */
export function refuseItself(scope: Scope, kind: string, id: string): void {
  const { resource } = scope[INTERNALS];
  if (!resource || idOf(resource.key) !== id || resource.kind !== kind) return;
  const fqn = fqnIn(scope.root, resource.key);
  throw new EngineError(
    "INVALID_CALL",
    `The handler of "${fqn}" declares a child of the same kind, "${kind}", with the same id, "${id}". That would never end. Give the child another id.`,
    { fqn },
  );
}

/** Returns the key of the resource that an object represents: a pending resource, or an output. */
export function originOf(app: App, object: object): string | undefined {
  const key = app.outputs.get(object);
  if (key !== undefined || !isPendingResource(object)) return key;
  const { scope, id } = object;
  return appOf(scope) === app ? keyIn(scope, id) : undefined;
}
