/** References by members of outputs: a text or a number has no identity, so it is noted when the program reads it. */

import { knownMembers, onMemberRead, unknownName } from "../base/index.js";
import { isPlainObject } from "../codec/index.js";
import type { App } from "../run/index.js";

/** Shorter values are equal by chance. */
const SHORTEST = 3;

/**
 * An output with accessors as members. A member that the program reads, and that then stands in the props of another resource, is a
 * reference to this one. So is a member of an output that a plan does not know, or knows in part.
 *
 * @param key of its resource
 */
export function withNotedMembers(app: App, output: unknown, key: string): unknown {
  if (unknownName(output) !== undefined) {
    onMemberRead(output, (member) => note(app, member, key));
    return output;
  }
  if (typeof output !== "object" || output === null || !isPlainObject(output)) return output;
  const noted = {};
  for (const [name, value] of Object.entries(output)) {
    Object.defineProperty(noted, name, {
      enumerable: true,
      configurable: true,
      get() {
        note(app, value, key);
        return value;
      },
      set(other: unknown) {
        Object.defineProperty(noted, name, { value: other, enumerable: true, configurable: true, writable: true });
      },
    });
  }
  // As Node prints it.
  Object.defineProperty(noted, Symbol.for("nodejs.util.inspect.custom"), { value: () => output });
  return noted;
}

/** With all that is in it. */
function note(app: App, value: unknown, key: string): void {
  if (unknownName(value) !== undefined) {
    // The text that stands for it: the same for each copy of it, and in a template that holds nothing else.
    add(app, String(value), key);
    onMemberRead(value, (member) => note(app, member, key));
    for (const one of Object.values(knownMembers(value))) note(app, one, key);
  } else if (typeof value === "object" && value !== null) {
    app.outputs.set(value, key);
    if (Array.isArray(value) || isPlainObject(value)) for (const one of Object.values(value)) note(app, one, key);
  } else if (isNoted(value)) {
    add(app, value, key);
  }
}

function add({ generation: { members } }: App, value: string | number, key: string): void {
  const known = members.get(value);
  if (known) known.add(key);
  else members.set(value, new Set([key]));
}

function isNoted(value: unknown): value is string | number {
  return (typeof value === "string" || typeof value === "number") && String(value).length >= SHORTEST;
}
