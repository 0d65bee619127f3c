/** Paths of props, as options name them. */

import { escapeKey, isList, isTagged, membersOf, setMember } from "../state/codec/keys.js";
import type { Encoded } from "../state/record.js";

/** Names on the way down; `*` stands for any. */
export type PropPath = readonly string[];

const ANY = "*";

/** Of `tags.team`, or of the JSON Pointer `/tags/team`. */
export function propPath(text: string): PropPath {
  return text.startsWith("/") ? stepsOf(text) : text.split(".");
}

/** The names that a JSON Pointer leads through. */
export function stepsOf(pointer: string): PropPath {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** True where what changed at a JSON Pointer is, or is in, or holds, what a path leads to. */
export function touches(pointer: string, path: PropPath): boolean {
  const steps = stepsOf(pointer);
  return path.every((step, index) => index >= steps.length || step === ANY || step === steps[index]);
}

/** Props as they are declared, with the recorded values where paths lead to; the same object where they agree. */
export function withRecorded(declared: Encoded, recorded: Encoded, paths: readonly PropPath[]): Encoded {
  return paths.reduce((props, path) => restored(props, recorded, path), declared);
}

function restored(declared: Encoded, recorded: Encoded, [step, ...rest]: PropPath): Encoded {
  if (step === undefined) return recorded;
  if (isList(declared) && isList(recorded)) return restoredList(declared, recorded, step, rest);
  const members = isTagged(declared) ? undefined : membersOf(declared);
  const others = isTagged(recorded) ? undefined : membersOf(recorded);
  if (members === undefined || others === undefined) return declared;
  const next: Record<string, Encoded> = { ...members };
  const names = step === ANY ? new Set([...Object.keys(members), ...Object.keys(others)]) : [escapeKey(step)];
  for (const name of names) {
    const [mine, old] = [own(members, name), own(others, name)];
    if (rest.length === 0 && old === undefined) delete next[name];
    else if (rest.length === 0 && old !== undefined) setMember(next, name, old);
    else if (mine !== undefined && old !== undefined) setMember(next, name, restored(mine, old, rest));
  }
  return next;
}

function restoredList(
  declared: readonly Encoded[],
  recorded: readonly Encoded[],
  step: string,
  rest: PropPath,
): Encoded {
  return declared.map((element, index) => {
    const old = recorded[index];
    return old !== undefined && (step === ANY || step === String(index)) ? restored(element, old, rest) : element;
  });
}

function own(members: Readonly<Record<string, Encoded>>, name: string): Encoded | undefined {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}
