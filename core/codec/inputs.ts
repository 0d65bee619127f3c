import { unknownName } from "../base/index.js";
import { isPlainObject } from "./builtin.js";

/** Deeper values are left to the codec, which refuses them by name. */
const DEEPEST = 1000;

/** Who is told what a search meets. */
export interface InputWatcher {
  /** Each object on the way: outputs and pending resources are recognised there. */
  seen(object: object): void;
  /** Each text and number on the way; of an unknown value the text that stands for it. Asked for again after `waiting`. */
  readonly value?: ((value: unknown) => void) | undefined;
  /** Whenever that has changed: which promises have not settled yet; always the same set. */
  waiting(promises: ReadonlySet<object>): void;
}

/**
 * The value with what promises inside of its plain objects and arrays resolve to in their places, or a promise of that. The very
 * same value where there are none.
 *
 * @param beside is searched and waited for as well, and not given
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

/** One search, with the promises that it has met and that have not settled. */
class Search {
  readonly watcher: InputWatcher;
  #promises: Set<object> | undefined = undefined;
  #hasEnded = false;

  constructor(watcher: InputWatcher) {
    this.watcher = watcher;
  }

  /** @param settled the promise, or a native one that settles with it */
  awaits(promise: object, settled: Promise<unknown>): void {
    // One that rejects ends it all, and others still come in.
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

/** The objects on the way down to the value at hand, the innermost first. */
interface Way {
  readonly object: object;
  readonly outer: Way | undefined;
  readonly depth: number;
}

/** The value itself where it holds no promise, else a promise of a copy without promises. */
function search(value: unknown, on: Search, outer: Way | undefined): unknown {
  if (typeof value !== "object" || value === null) {
    const isUnknown = unknownName(value) !== undefined;
    if (isUnknown) on.watcher.seen(Object(value));
    on.watcher.value?.(isUnknown ? String(value) : value);
    return value;
  }
  // What holds itself has no end; the codec refuses it by name.
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
    // With what it has beside its elements: the codec refuses that by name.
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
  // Before anything is awaited: the program may go on to change the object.
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
