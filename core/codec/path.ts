import { type Redact, stepsOf, unicodePattern } from "../base/index.js";
import type { Encoded, PropPath } from "../contract/index.js";
import {
  type EncodedMembers,
  escapeKey,
  isList,
  isTagged,
  memberOf,
  membersOf,
  setMember,
  unescapeKey,
} from "./keys.js";

/** Path to a value: the keys and indexes that lead to it. */
export type Path = readonly (string | number)[];

/** One container on the way down to the current value. Made for each container of each value, so it is small. */
export interface Frame {
  /** Key of the member that is being visited; changes from one to the next. */
  key: string | number;
  readonly container: object;
  readonly outer: Frame | undefined;
  /** Number of containers, including this one. */
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

/** Deeper values are refused, so that recursive code cannot overflow the stack. */
export const maxDepth = 500;

/** Number of keys of a long path that a message shows at either end. */
const shownKeys = 8;

/** Returns a key as one token of a JSON Pointer (RFC 6901). */
export function pointerToken(key: string): string {
  return key.includes("~") || key.includes("/") ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key;
}

/** Returns a path as a JSON Pointer, e.g. `/a/b/2`, for plugins and plans. */
export function pointerOf(path: Path): string {
  return path.map((key) => `/${pointerToken(String(key))}`).join("");
}

/** Redacts the keys in a JSON Pointer. */
export function safePath(pointer: string, redact: Redact): string {
  return pointerOf(stepsOf(pointer).map(redact));
}

/** Returns a path for messages, e.g. `$.a.b[2]`. */
export function readablePath(path: Path): string {
  if (path.length <= 2 * shownKeys) return `$${path.map(readableKey).join("")}`;
  return `$${path.slice(0, shownKeys).map(readableKey).join("")} … ${path.slice(-shownKeys).map(readableKey).join("")}`;
}

const identifier = unicodePattern(String.raw`^[\p{ID_Start}$_][\p{ID_Continue}$]*$`);

function readableKey(key: string | number): string {
  if (typeof key === "number") return `[${key}]`;
  return identifier().test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

// Paths of props, as options name them.

const ANY = "*";

const INDEX = /\[(\*|\d+)\]/gu;

/** Parses `tags.team`, `disks[*].size`, `disks.*.size`, or the JSON Pointer `/tags/team`. */
export function propPath(text: string): PropPath {
  if (text.startsWith("/")) return stepsOf(text);
  if (!text.includes("[")) return text.split(".");
  return text.replace(INDEX, ".$1").replace(/^\./u, "").split(".");
}

/** Returns true if a path leads to a value. A tagged value, e.g. one that is not known yet, may contain anything. */
export function leadsSomewhere(encoded: Encoded | undefined, [step, ...rest]: PropPath): boolean {
  if (encoded === undefined) return false;
  if (step === undefined || isTagged(encoded)) return true;
  const inside = namesIn(encoded);
  if (step !== ANY) return leadsSomewhere(memberAt(encoded, step), rest);
  return (
    inside !== undefined &&
    (inside.length === 0 || inside.some((name) => leadsSomewhere(memberAt(encoded, name), rest)))
  );
}

/** Returns the value at a path without `*`. */
export function valueAt(encoded: Encoded | undefined, path: PropPath): Encoded | undefined {
  return path.reduce(memberAt, encoded);
}

/**
 * Expands a path with `*`. All elements of a list count as one, because lists may differ in length.
 *
 * @param props decide which members of the root there are
 * @param other has further members below it
 */
export function pathsOf(path: PropPath, props: Encoded | undefined, other: Encoded | undefined): readonly PropPath[] {
  return expanded(path, props, other, []);
}

function expanded(
  [step, ...rest]: PropPath,
  props: Encoded | undefined,
  other: Encoded | undefined,
  from: PropPath,
): readonly PropPath[] {
  if (step === undefined) return [from];
  const isWholeList = rest.length === 0 && props !== undefined && isList(props);
  if (step === ANY && isWholeList) return [from];
  const further = from.length === 0 ? undefined : other;
  const names = step === ANY ? new Set([...(namesIn(props) ?? []), ...(namesIn(further) ?? [])]) : [step];
  return [...names].flatMap((name) => expanded(rest, memberAt(props, name), memberAt(other, name), [...from, name]));
}

/** Returns the names of members in the program's terms, or indices. */
function namesIn(encoded: Encoded | undefined): readonly string[] | undefined {
  if (encoded !== undefined && isList(encoded)) return Object.keys(encoded);
  const members = encoded === undefined ? undefined : plainMembersOf(encoded);
  return members && Object.keys(members).map(unescapeKey);
}

function memberAt(encoded: Encoded | undefined, step: string): Encoded | undefined {
  if (encoded === undefined) return undefined;
  if (isList(encoded)) return /^\d+$/u.test(step) ? encoded[Number(step)] : undefined;
  const members = plainMembersOf(encoded);
  return members && memberOf(members, escapeKey(step));
}

/** Returns true if a change at a JSON Pointer is at the path, inside it or around it. */
export function touches(pointer: string, path: PropPath): boolean {
  const steps = stepsOf(pointer);
  return path.every((step, index) => index >= steps.length || step === ANY || step === steps[index]);
}

/** Returns the declared props with the recorded values, or their absence, at the given paths. */
export function withRecorded(declared: Encoded, recorded: Encoded, paths: readonly PropPath[]): Encoded {
  return paths.reduce((props, path) => restored(props, recorded, path) ?? props, declared);
}

function restored(
  declared: Encoded | undefined,
  recorded: Encoded | undefined,
  [step, ...rest]: PropPath,
): Encoded | undefined {
  if (step === undefined) return recorded;
  if (declared !== undefined && isList(declared)) return restoredList(declared, recorded, step, rest);
  const members = plainMembersOf(declared);
  // A value without members has no member to restore.
  if (members === undefined) return declared;
  const others = plainMembersOf(recorded) ?? {};
  const next: Record<string, Encoded> = { ...members };
  const names = step === ANY ? new Set([...Object.keys(members), ...Object.keys(others)]) : [escapeKey(step)];
  for (const name of names) {
    const value = restored(memberOf(members, name), memberOf(others, name), rest);
    if (value === undefined) delete next[name];
    else setMember(next, name, value);
  }
  return declared === undefined && Object.keys(next).length === 0 ? undefined : next;
}

/** Elements are matched by index: an added or removed one is restored only if the path selects the whole list. */
function restoredList(
  declared: readonly Encoded[],
  recorded: Encoded | undefined,
  step: string,
  rest: PropPath,
): Encoded {
  if (recorded === undefined || !isList(recorded)) return declared;
  if (step === ANY && rest.length === 0) return recorded;
  return declared.map((element, index) => {
    const isMeant = index < recorded.length && (step === ANY || step === String(index));
    return (isMeant ? restored(element, recorded[index], rest) : element) ?? element;
  });
}

function plainMembersOf(encoded: Encoded | undefined): EncodedMembers | undefined {
  if (encoded === undefined) return {};
  return isTagged(encoded) ? undefined : membersOf(encoded);
}
