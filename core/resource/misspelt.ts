/** Slips of the pen in the names of a definition's members: without its `update`, a type would replace what was to be changed. */

import { nearest } from "../base/index.js";
import { MEMBERS } from "./member-rules.js";

/**
 * The first member of a definition that is one letter away from one that the definition does not have, and that one. A definition may have
 * members of its own for its handlers, which see it as `this`.
 */
export function misspeltMember(given: object): readonly [given: string, meant: string] | undefined {
  const missing = [...MEMBERS].filter((name) => !(name in given));
  for (const name of Object.keys(given)) {
    const meant = MEMBERS.has(name) ? undefined : nearest(name, missing, 1);
    if (meant !== undefined) return [name, meant];
  }
  return undefined;
}
