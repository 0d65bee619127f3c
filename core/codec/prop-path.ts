/** Paths of props, as options name them. */

import { stepsOf } from "../base/index.js";
import type { Encoded, PropPath } from "../contract/index.js";
import { type EncodedMembers, escapeKey, isList, isTagged, memberOf, membersOf, setMember } from "./keys.js";

const ANY = "*";

/** Of `tags.team`, or of the JSON Pointer `/tags/team`. */
export function propPath(text: string): PropPath {
  return text.startsWith("/") ? stepsOf(text) : text.split(".");
}

/** True where what changed at a JSON Pointer is, or is in, or holds, what a path leads to. */
export function touches(pointer: string, path: PropPath): boolean {
  const steps = stepsOf(pointer);
  return path.every((step, index) => index >= steps.length || step === ANY || step === steps[index]);
}

/** Props as they are declared, but with what is recorded where paths lead to: values, and that there is none. */
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
  // There is no member to restore in what has none.
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

/** Elements stand where they stand: one that was added or dropped is restored only where all of them are. */
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
