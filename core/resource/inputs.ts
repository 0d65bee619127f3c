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
  const found = search(value, { seen, path: [] });
  return found === value ? { value } : Promise.resolve(found).then((resolved) => ({ value: resolved }));
}

interface Search {
  readonly seen: (object: object) => void;
  /** The objects on the way down to here. */
  readonly path: object[];
}

/** The value itself where it holds no promise, else a promise of a copy without promises. */
function search(value: unknown, { seen, path }: Search): unknown {
  if (typeof value !== "object" || value === null) return value;
  // What holds itself has no end; the codec refuses it by name.
  if (path.length > DEEPEST || path.includes(value)) return value;
  seen(value);
  path.push(value);
  const found = searchMembers(value, { seen, path });
  path.pop();
  return found;
}

function searchMembers(value: object, search: Search): unknown {
  if (isThenable(value)) return searchResult(value, search);
  if (Array.isArray(value)) return searchArray(value, search);
  return isPlain(value) ? searchObject(value, search) : value;
}

function searchResult(promise: PromiseLike<unknown>, { seen, path }: Search): Promise<unknown> {
  const here = [...path];
  return Promise.resolve(promise).then((value) => search(value, { seen, path: here }));
}

function searchArray(array: readonly unknown[], on: Search): unknown {
  let copy: unknown[] | undefined;
  for (let index = 0; index < array.length; index++) {
    const found = search(array[index], on);
    if (found === array[index]) continue;
    copy ??= [...array];
    copy[index] = found;
  }
  return copy ? Promise.all(copy) : array;
}

function searchObject(object: object, on: Search): unknown {
  const waiting: (readonly [string, unknown])[] = [];
  for (const key of Object.keys(object)) {
    const member: unknown = Reflect.get(object, key);
    const found = search(member, on);
    if (found !== member) waiting.push([key, found]);
  }
  if (waiting.length === 0) return object;
  return Promise.all(waiting.map(([, found]) => found)).then((resolved) => {
    const copy = { ...object };
    for (const [index, [key]] of waiting.entries()) {
      Object.defineProperty(copy, key, {
        value: resolved[index],
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
    return copy;
  });
}

function isThenable(value: object): value is PromiseLike<unknown> {
  return "then" in value && typeof value.then === "function";
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
