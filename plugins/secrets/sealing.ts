/** For resource types that make secrets of values by themselves, e.g. because a schema says so. */
import { tagOf } from "../../core/codec/index.js";
import type { Encoded, Scope } from "../../core/contract/index.js";
import { encodingsOfWhole } from "./encodings.js";
import { TAG } from "./envelope.js";
import { leavesOf } from "./leaves.js";
import { openerOf } from "./password-scopes.js";
import { SHORTEST } from "./patterns.js";

/** Whether what is recorded in a scope can be encrypted. */
export function hasKeyFor(scope: Scope): boolean {
  return openerOf(scope) !== undefined;
}

/** True for a recorded value that is encrypted. */
export function isSealed(value: Encoded): boolean {
  return tagOf(value) === TAG;
}

/** The texts in a value, however deep. What secrets in it hold is not among them. */
export function textsIn(value: unknown): readonly string[] {
  return [...leavesOf(value)].filter((leaf) => typeof leaf === "string");
}

/** A shorter text is in too many others by chance, once capital letters do not count. */
const SHORTEST_OF_ANY_CASE = 8;

/**
 * What others make of a text: in JSON, in a URL, in hex and in base64, also in the midst of more; without the blanks around it; in capital
 * letters, and without. None of a text that is in too many others by chance.
 */
export function formsOf(text: string): readonly string[] {
  const trimmed = text.trim();
  const long = trimmed.length < SHORTEST_OF_ANY_CASE ? [] : [trimmed.toLowerCase(), trimmed.toUpperCase()];
  const all = [text, trimmed].filter((one) => one.length >= SHORTEST);
  return [...new Set([...all.flatMap(encodingsOfWhole), ...long])];
}
