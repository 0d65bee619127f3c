import { type Redact, stepsOf } from "../base/index.js";

/** Where a value is: the keys and indexes that lead to it. */
export type Path = readonly (string | number)[];

/** One container on the way down to the value at hand. Made for each container of each value, so it is small. */
export interface Frame {
  /** Key of the member that is being visited; changes from one to the next. */
  key: string | number;
  readonly container: object;
  readonly outer: Frame | undefined;
  /** How many containers there are, this one included. */
  readonly depth: number;
}

/** @param outer the container around this one */
export function frameIn(outer: Frame | undefined, container: object): Frame {
  return { key: "", container, outer, depth: outer ? outer.depth + 1 : 1 };
}

export function pathOf(frame: Frame | undefined): Path {
  const path: (string | number)[] = [];
  for (let at = frame; at; at = at.outer) path.push(at.key);
  return path.reverse();
}

/** Deeper values are refused, so that everything that reads them recursively stays far from the end of the stack. */
export const maxDepth = 500;

/** How many keys of a long path a message shows at either end. */
const shownKeys = 8;

const identifier = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

/** A key as one token of a JSON Pointer (RFC 6901). */
export function pointerToken(key: string): string {
  return key.includes("~") || key.includes("/") ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key;
}

/** A path as a JSON Pointer, e.g. `/a/b/2`: for plugins and plans. */
export function pointerOf(path: Path): string {
  return path.map((key) => `/${pointerToken(String(key))}`).join("");
}

/** A JSON Pointer as others may see it: keys are texts, too. */
export function safePath(pointer: string, redact: Redact): string {
  return pointerOf(stepsOf(pointer).map(redact));
}

/** A path as people read it, e.g. `$.a.b[2]`: for messages. */
export function readablePath(path: Path): string {
  if (path.length <= 2 * shownKeys) return `$${path.map(readableKey).join("")}`;
  return `$${path.slice(0, shownKeys).map(readableKey).join("")} … ${path.slice(-shownKeys).map(readableKey).join("")}`;
}

function readableKey(key: string | number): string {
  if (typeof key === "number") return `[${key}]`;
  return identifier.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
