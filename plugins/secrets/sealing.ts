/** For resource types that make secrets of values by themselves, e.g. because a schema says so. */
import { tagOf } from "../../core/codec/index.js";
import type { Encoded, Scope } from "../../core/contract/index.js";
import { TAG } from "./envelope.js";
import { escapesOf } from "./escapes.js";
import { leavesOf } from "./leaves.js";
import { openerOf } from "./password-scopes.js";
import { SHORTEST } from "./patterns.js";
import { percentEncodingsOf } from "./percent.js";

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

/** A text as it is, in JSON, in a URL and in base64. None of a text that is in too many others by chance. */
export function formsOf(text: string): readonly string[] {
  if (text.length < SHORTEST) return [];
  const bytes = Buffer.from(text);
  return [...escapesOf(text), ...percentEncodingsOf(bytes), bytes.toString("base64").replace(/=+$/, "")];
}
