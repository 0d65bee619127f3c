/** Declarations that have not settled, and what they wait for before they are ready: promises in their props. */
import { below, type CallSite, EngineError, platform } from "../base/index.js";
import {
  folderOf,
  fqnIn,
  INTERNALS,
  idOf,
  isPendingResource,
  keyIn,
  type PendingResource,
  type ResourceOptions,
  type ResourceRecord,
  runningHandlerOf,
  type Scope,
} from "../contract/index.js";
import type { Placement } from "../order/index.js";
import type { Admission } from "./admission.js";
import { appOf } from "./app.js";
import type { DeferredQueue } from "./deferred.js";

type Referring = Pick<ResourceRecord, "key" | "refs">;

export class InputWaits {
  readonly #deferred: DeferredQueue;
  readonly #unsettled = new Set<Declared>();
  /** Promises that have not settled, by the key of the resource whose declaration waits for them. */
  readonly #inputs = new Map<string, ReadonlySet<object>>();
  readonly #watchers = new Set<() => void>();

  constructor(deferred: DeferredQueue) {
    this.#deferred = deferred;
  }

  add(declared: Declared): void {
    this.#unsettled.add(declared);
  }

  /** It has settled. */
  delete(declared: Declared): void {
    this.#unsettled.delete(declared);
  }

  has(declared: Declared): boolean {
    return this.#unsettled.has(declared);
  }

  /** What has been declared below a path and not settled. */
  unsettled(isBelow: (path: string) => boolean): readonly PendingResource<unknown>[] {
    return [...this.#unsettled].flatMap(({ pending, path }) => (pending && isBelow(path) ? pending : []));
  }

  /** What is declared outside of a path, has not settled, and refers to others as far as its props are known by now. */
  referring(isBelow: (path: string) => boolean): readonly Referring[] {
    const found: Referring[] = [];
    for (const { pending, path, references } of this.#unsettled) {
      if (!pending || !references || isBelow(path)) continue;
      const refs = references.uids();
      if (refs.length > 0) found.push({ key: keyOf(pending), refs });
    }
    return found;
  }

  /**
   * Resolves when everything declared below a path, also meanwhile, has settled one way or the other; or waits for
   * deferred functions, and for nothing else.
   */
  async settled(isBelow: (path: string) => boolean): Promise<void> {
    for (let found = true; found; ) {
      // One turn of the event loop: code that waited for the last of them may go on to declare more.
      await new Promise<void>((resolve) => platform().nextTurn(resolve));
      found = false;
      // What is declared meanwhile comes last in the set, and so is waited for in the same pass.
      for (const { pending, path } of this.#unsettled) {
        if (!pending || !isBelow(path) || this.isDeferred(pending)) continue;
        found = true;
        await this.rest(pending);
      }
    }
  }

  /** Notes what the declaration under a key waits for now; called again whenever the set has changed. */
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
    return isPendingResource(input) && appOf(input.scope).run.waits === this;
  }
}

function keyOf({ scope, id }: PendingResource<unknown>): string {
  return keyIn(scope, id);
}

/** One call of a resource type in the program, from the call until it has settled. */
export class Declared {
  /** Undefined if it is not kept. */
  readonly site: CallSite | undefined;
  /** Path of the scope that it was declared in. */
  readonly path: string;
  /** Key of the resource in whose handler it was declared; of an old copy its uid. */
  readonly home: string | undefined;
  readonly options: ResourceOptions;
  /** Set before anything is awaited. */
  pending: PendingResource<unknown> | undefined = undefined;
  /** Called at the moment when the declaration resolves to the program, to note that in the order. */
  settle: ((placement: Placement) => unknown) | undefined = undefined;
  /** What it refers to, as far as its props are known; set where that is anything, until it has settled. */
  references: { uids(): readonly string[] } | undefined = undefined;
  /** It has failed, or was left out before it was there; a destroy makes nothing. */
  isUndone = false;
  /** True from when its props are known and compared with the record. */
  isDecided = false;
  /** Set from when it is known that something is to be done about it. */
  admission: Admission | undefined = undefined;

  constructor(site: CallSite | undefined, path: string, home: string | undefined, options: ResourceOptions) {
    this.site = site;
    this.path = path;
    this.home = home;
    this.options = options;
  }
}

/**
 * @param call of a scope, which waits for all that is declared in it
 * @throws EngineError `INVALID_CALL` in a handler of a resource that is in the scope, or below it
 */
export function refuseInside(scope: Scope, call: string): void {
  const key = runningHandlerOf(scope.root);
  if (key === undefined || !below(scope[INTERNALS].path)(folderOf(key))) return;
  const fqn = fqnIn(scope.root, key);
  throw new EngineError(
    "INVALID_CALL",
    `${call} is called by the handler of "${fqn}", which it would wait for. Call it where the program has declared everything.`,
    { fqn },
  );
}

/** @throws EngineError `INVALID_CALL` where a handler declares the resource again that it is called for: that would never end */
export function refuseItself(scope: Scope, kind: string, id: string): void {
  const { resource } = scope[INTERNALS];
  if (!resource || idOf(resource.key) !== id || resource.kind !== kind) return;
  const fqn = fqnIn(scope.root, resource.key);
  throw new EngineError(
    "INVALID_CALL",
    `The handler of "${fqn}" declares a "${kind}" with the id "${id}", as it is itself: its handler would do so again, for ever. Give the part another id.`,
    { fqn },
  );
}
