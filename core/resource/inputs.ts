/** Values that go in and out whole: never searched for promises. */
export type Leaf =
  | null
  | undefined
  | boolean
  | number
  | string
  | bigint
  | symbol
  | Date
  | URL
  | RegExp
  | Error
  | ArrayBuffer
  | ArrayBufferView
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | ((...args: never[]) => unknown);

/** What a program may pass for `T`: the value, or promises of it or of parts of it at any depth. */
export type Input<T> =
  | T
  | PromiseLike<T>
  | (T extends Leaf
      ? never
      : T extends readonly unknown[]
        ? { readonly [K in keyof T]: Input<T[K]> }
        : T extends object
          ? { readonly [K in keyof T]: {} extends Pick<T, K> ? Input<T[K]> | undefined : Input<T[K]> }
          : never);

/** Deeper values are left to the codec, which refuses them by name. */
const DEEPEST = 1000;

export interface Resolved {
  readonly value: unknown;
}

/**
 * Replaces promises inside plain objects and arrays by what they resolve to. Synchronous, and the very same value, where
 * there are none.
 *
 * @param seen is told each object on the way: outputs and pending resources are recognised there
 */
export function resolveInputs(value: unknown, seen: (object: object) => void): Resolved | Promise<Resolved> {
  const found = search(value, seen, undefined);
  return found === value ? { value } : Promise.resolve(found).then((resolved) => ({ value: resolved }));
}

/** The objects on the way down to the value at hand, the innermost first. */
interface Way {
  readonly object: object;
  readonly outer: Way | undefined;
  readonly depth: number;
}

type Seen = (object: object) => void;

/** The value itself where it holds no promise, else a promise of a copy without promises. */
function search(value: unknown, seen: Seen, outer: Way | undefined): unknown {
  if (typeof value !== "object" || value === null) return value;
  // What holds itself has no end; the codec refuses it by name.
  for (let way = outer; way; way = way.outer) if (way.object === value || way.depth > DEEPEST) return value;
  seen(value);
  const way: Way = { object: value, outer, depth: outer ? outer.depth + 1 : 1 };
  if (isThenable(value)) return Promise.resolve(value).then((result) => search(result, seen, way));
  if (Array.isArray(value)) return searchArray(value, seen, way);
  return isPlain(value) ? searchObject(value, seen, way) : value;
}

function searchArray(array: readonly unknown[], seen: Seen, way: Way): unknown {
  let copy: unknown[] | undefined;
  for (let index = 0; index < array.length; index++) {
    const found = search(array[index], seen, way);
    if (found === array[index]) continue;
    copy ??= [...array];
    copy[index] = found;
  }
  return copy ? Promise.all(copy) : array;
}

function searchObject(object: Readonly<Record<string, unknown>>, seen: Seen, way: Way): unknown {
  let waiting: (readonly [string, unknown])[] | undefined;
  const keys = Object.keys(object);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index] ?? "";
    const member = object[key];
    const found = search(member, seen, way);
    if (found === member) continue;
    waiting ??= [];
    waiting.push([key, found]);
  }
  return waiting ? completed(object, waiting) : object;
}

async function completed(object: object, waiting: readonly (readonly [string, unknown])[]): Promise<object> {
  const resolved = await Promise.all(waiting.map(([, found]) => found));
  const copy = { ...object };
  for (const [index, [key]] of waiting.entries()) {
    const value = resolved[index];
    Object.defineProperty(copy, key, { value, enumerable: true, writable: true, configurable: true });
  }
  return copy;
}

function isThenable(value: object): value is PromiseLike<unknown> {
  return "then" in value && typeof value.then === "function";
}

function isPlain(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
