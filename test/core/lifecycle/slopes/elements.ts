/**
 * Counts the elements that the runtime itself visits for the engine: in lists that it copies, searches or spreads.
 * Block counts do not show these.
 */
import { isEngine } from "./places.js";

/** Elements by the line of the engine's code that caused the visit. */
const counts = new Map<string, number>();
/** Characters of long texts, by the same. */
const characters = new Map<string, number>();

/** Shorter lists and texts are not counted: finding the caller is slow, and short lists do not matter. */
const SHORTEST = 24;
const SHORTEST_TEXT = 2_000;

const SEARCHING = [
  "indexOf",
  "lastIndexOf",
  "includes",
  "join",
  "slice",
  "concat",
  "splice",
  "reverse",
  "fill",
] as const;
const MOVING = ["shift", "unshift", "flat", "toSorted", "toReversed", "with", "copyWithin"] as const;

let isCounting = false;

/** Counts visited elements from now on, in the whole process. */
export function watchElements(): void {
  for (const name of [...SEARCHING, ...MOVING]) {
    around(Array.prototype, name, (list: readonly unknown[]) => list.length);
  }
  for (const name of ["keys", "values", "entries"] as const) around(Object, name, (_self, [of]) => sizeOf(of));
  around(JSON, "stringify", (_self, _given, text) => sizeOf(text), characters);
  around(JSON, "parse", (_self, [text]) => sizeOf(text), characters);
  for (const name of ["split", "indexOf", "includes", "replace", "replaceAll"] as const) {
    around(String.prototype, name, (text: string) => sizeOf(text), characters);
  }
  for (const name of ["values", Symbol.iterator] as const)
    iterated<readonly unknown[]>(Array.prototype, name, (list) => list.length);
  for (const prototype of [Map.prototype, Set.prototype]) {
    for (const name of ["keys", "values", "entries", Symbol.iterator] as const) {
      iterated<{ readonly size: number }>(prototype, name, (list) => list.size);
    }
  }
}

interface Visited {
  readonly elements: ReadonlyMap<string, number>;
  readonly characters: ReadonlyMap<string, number>;
}

/** Elements that were visited while `run` ran. */
export async function visitedBy(run: () => Promise<void>): Promise<Visited> {
  counts.clear();
  characters.clear();
  isCounting = true;
  try {
    await run();
  } finally {
    isCounting = false;
  }
  return { elements: new Map(counts), characters: new Map(characters) };
}

function sizeOf(value: unknown): number {
  if (typeof value === "string") return value.length < SHORTEST_TEXT ? 0 : value.length;
  return Array.isArray(value) ? value.length : 0;
}

function add(count: number, to: Map<string, number>): void {
  if (!isCounting || count < SHORTEST) return;
  const place = caller();
  if (place !== undefined) to.set(place, (to.get(place) ?? 0) + count);
}

type Size<Self> = (self: Self, given: readonly unknown[], answer: unknown) => number;

function around<Self>(owner: object, name: PropertyKey, size: Size<Self>, to = counts): void {
  const original: unknown = Reflect.get(owner, name);
  if (typeof original !== "function") return;
  replace(owner, name, function (this: Self, ...given: readonly unknown[]): unknown {
    const before = isCounting ? size(this, given, undefined) : 0;
    const answer: unknown = Reflect.apply(original, this, given);
    if (isCounting) add(Math.max(before, size(this, given, answer)), to);
    return answer;
  });
}

/** Counts only elements taken from an iterator: a loop may end early, and its body is a block. */
function iterated<Self>(owner: object, name: PropertyKey, size: (self: Self) => number): void {
  const original: unknown = Reflect.get(owner, name);
  if (typeof original !== "function") return;
  replace(owner, name, function (this: Self): unknown {
    const iterator: Iterator<unknown> = Reflect.apply(original, this, []);
    if (!isCounting || size(this) < SHORTEST) return iterator;
    const place = caller();
    if (place === undefined) return iterator;
    const next = iterator.next.bind(iterator);
    const counted = (): IteratorResult<unknown> => {
      const found = next();
      if (!found.done) counts.set(place, (counts.get(place) ?? 0) + 1);
      return found;
    };
    return Object.defineProperty(iterator, "next", { value: counted });
  });
}

function replace(owner: object, name: PropertyKey, value: unknown): void {
  Object.defineProperty(owner, name, { value, writable: true, configurable: true, enumerable: false });
}

/** Position of the calling engine code in the loaded script; undefined for any other caller. */
function caller(): string | undefined {
  isCounting = false;
  const { prepareStackTrace, stackTraceLimit } = Error;
  Object.assign(Error, { prepareStackTrace: (_error: Error, frames: unknown) => frames, stackTraceLimit: 6 });
  const stack: unknown = new Error().stack;
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  const frame = Array.isArray(stack) ? stack.find((one: NodeJS.CallSite) => !isHere(one)) : undefined;
  isCounting = true;
  const url = frame?.getFileName();
  return url && isEngine(url) ? `${url}:${frame?.getLineNumber()}:${frame?.getColumnNumber()}` : undefined;
}

/** True for this file and the runtime itself. */
function isHere(frame: NodeJS.CallSite): boolean {
  const name = frame.getFileName() ?? "";
  return name === "" || name === import.meta.url || !name.startsWith("file:");
}
