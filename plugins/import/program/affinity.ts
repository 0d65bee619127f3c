/** Tells references from values that are equal because a person chose one name for several resources. Pure. */
import { Sensitive } from "../contract.js";
import type { SettledResource } from "./settled.js";

/** A value in the props of a resource, and the names that lead to it. */
export interface Position {
  readonly value: unknown;
  readonly path: readonly string[];
}

/** Words of many kinds, which say nothing about one of them. */
const GENERIC = new Set(
  "arn arns description id ids key keys label labels location name names region state status tag tags title type types value values version zone".split(
    " ",
  ),
);
const SHORTEST_WORD = 3;
/** Shortest word that is found at the start or the end of another one. */
const SHORTEST_PART = 4;

/**
 * True if the names that lead to a value are those of the resource it may come from, or of its member: `roleName` and a
 * role, `subnets` and a subnet, `cidrBlocks` and a `cidrBlock`.
 */
export function isNamedAfter(path: readonly string[], { kindName, name }: SettledResource, member: string): boolean {
  const own = path.flatMap(wordsOf);
  const others = [kindName, name, member].flatMap(wordsOf);
  return own.some((word) => others.some((other) => isSameWord(word, other)));
}

function isSameWord(one: string, other: string): boolean {
  const [long, short] = one.length < other.length ? [other, one] : [one, other];
  return long === short || (short.length >= SHORTEST_PART && (long.startsWith(short) || long.endsWith(short)));
}

function wordsOf(name: string): readonly string[] {
  const words = name
    .replaceAll(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})/gu, " ")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return words.filter((word) => word.length >= SHORTEST_WORD && !GENERIC.has(word));
}

/** Yields the texts, numbers and secrets of props. */
export function* positionsIn(value: unknown, path: readonly string[] = []): Generator<Position> {
  const isLeaf = typeof value !== "object" || value === null || value instanceof Sensitive;
  if (isLeaf) yield { value, path };
  else if (!(value instanceof Uint8Array))
    for (const [name, one] of Object.entries(value)) yield* positionsIn(one, [...path, name]);
}
