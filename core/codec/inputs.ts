import { unknownName } from "../base/index.js";
import { isPlainObject } from "./builtin.js";

/** The codec refuses deeper values with an error that names them. */
const DEEPEST = 1000;

/** Observer of a search. */
export interface InputWatcher {
  /** Called for each object found: this recognises outputs and pending resources. */
  seen(object: object): void;
  /**
   * Called for each text and number found; for an unknown value, with the text that stands for it. Read again after
   * `waiting`.
   */
  readonly value?: ((value: unknown) => void) | undefined;
  /** Called whenever the set of unsettled promises changes; it is always the same set. */
  waiting(promises: ReadonlySet<object>): void;
}

/**
 * Replaces the promises inside plain objects and arrays by their results. Returns the same value if it contains no
 * promises, otherwise a promise of the result.
 *
 * @param beside is also searched and awaited, but not returned
 */
export function resolveInputs(value: unknown, watcher: InputWatcher, beside?: unknown): unknown {
  const on = new Search(watcher);
  const found = search(value, on, undefined);
  const other = beside === undefined ? undefined : search(beside, on, undefined);
  if (found === value && other === beside) return value;
  const resolved = other === beside ? Promise.resolve(found) : Promise.all([found, other]).then(([all]) => all);
  const end = (): void => on.end();
  resolved.then(end, end);
  return resolved;
}

/** One search, with its promises that have not settled. */
class Search {
  readonly watcher: InputWatcher;
  #promises: Set<object> | undefined = undefined;
  #hasEnded = false;

  constructor(watcher: InputWatcher) {
    this.watcher = watcher;
  }

  /** Adds a promise to wait for. @param settled the promise, or a native one that settles with it */
  awaits(promise: object, settled: Promise<unknown>): void {
    // A rejection ends the search, but other results still arrive.
    if (this.#hasEnded) return;
    this.#promises ??= new Set();
    const promises = this.#promises.add(promise);
    this.watcher.waiting(promises);
    const remove = (): void => {
      if (promises.delete(promise)) this.watcher.waiting(promises);
    };
    settled.then(remove, remove);
  }

  end(): void {
    this.#hasEnded = true;
    if (!this.#promises || this.#promises.size === 0) return;
    this.#promises.clear();
    this.watcher.waiting(this.#promises);
  }
}

/** The objects around the current value, innermost first. */
interface Way {
  readonly object: object;
  readonly outer: Way | undefined;
  readonly depth: number;
}

/** Returns the value itself if it holds no promise, else a promise of a copy without promises. */
function search(value: unknown, on: Search, outer: Way | undefined): unknown {
  if (typeof value !== "object" || value === null) {
    const isUnknown = typeof value === "function" && unknownName(value) !== undefined;
    if (isUnknown) on.watcher.seen(Object(value));
    on.watcher.value?.(isUnknown ? String(value) : value);
    return value;
  }
  // A cycle has no end; the codec refuses it with an error that names it.
  for (let way = outer; way; way = way.outer) if (way.object === value || way.depth > DEEPEST) return value;
  on.watcher.seen(value);
  const way: Way = { object: value, outer, depth: outer ? outer.depth + 1 : 1 };
  if (isThenable(value)) return searchResult(value, on, way);
  if (Array.isArray(value)) return searchArray(value, on, way);
  return isPlainObject(value) ? searchObject(value, on, way) : value;
}

function searchResult(promise: PromiseLike<unknown>, on: Search, way: Way): Promise<unknown> {
  const settled = Promise.resolve(promise);
  on.awaits(promise, settled);
  return settled.then((result) => search(result, on, way));
}

function searchArray(array: readonly unknown[], on: Search, way: Way): unknown {
  let copy: unknown[] | undefined;
  for (let index = 0; index < array.length; index++) {
    const found = search(array[index], on, way);
    if (found === array[index]) continue;
    // Also copies members that are not elements: the codec refuses them with an error that names them.
    copy ??= Object.assign([...array], array);
    copy[index] = found;
  }
  return copy ? resolvedIn(copy) : array;
}

async function resolvedIn(copy: unknown[]): Promise<unknown[]> {
  return Object.assign(copy, await Promise.all(copy));
}

function searchObject(object: Readonly<Record<string, unknown>>, on: Search, way: Way): unknown {
  let waiting: (readonly [string, unknown])[] | undefined;
  const keys = Object.keys(object);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] ?? "";
    const member = object[key];
    const found = search(member, on, way);
    if (found === member) continue;
    waiting ??= [];
    waiting.push([key, found]);
  }
  return waiting ? completed(object, waiting) : object;
}

async function completed(object: object, waiting: readonly (readonly [string, unknown])[]): Promise<object> {
  // Copied before the first await, because the program may change the object afterwards.
  const copy = { ...object };
  const resolved = await Promise.all(waiting.map(([, found]) => found));
  for (const [index, [key]] of waiting.entries()) {
    const value = resolved[index];
    Object.defineProperty(copy, key, { value, enumerable: true, writable: true, configurable: true });
  }
  return copy;
}

function isThenable(value: object): value is PromiseLike<unknown> {
  return "then" in value && typeof value.then === "function";
}
