/** What a type's `outputs` say beforehand, also where some of the props are not known yet. */

import { hasMarker, knownMembers, unknownName, unknownValue, withoutMarkers } from "../../core/base/index.js";
import { isList, textIn, UNKNOWN_TAG } from "../../core/codec/index.js";
import type { Encoded, OutputsContext } from "../../core/contract/index.js";
import { renderWhole } from "../internal/render/render-value.js";

type Given = OutputsContext<unknown, unknown>;

/**
 * Calls `outputs` with two sets of stand-ins for the unknown values, and keeps the members that come out alike. One that was
 * computed from a stand-in, such as its length or a digest, differs and is left out; one that holds an unknown value is kept as
 * that.
 *
 * @param given with decoded values
 * @param renamed the same with other names for what is not known; undefined where all is known
 */
export function knownOutputs(
  outputs: (given: Given) => unknown,
  given: Given,
  renamed: Given | undefined,
): Readonly<Record<string, unknown>> {
  if (renamed === undefined) return { ...Object(outputs(given)) };
  try {
    const [one, other] = [membersOf(outputs(given)), membersOf(outputs(renamed))];
    return Object.fromEntries(Object.entries(one).filter(([key, value]) => isSame(value, other[key])));
  } catch {
    return {}; // It met a value that is not known.
  }
}

function membersOf(output: unknown): Readonly<Record<string, unknown>> {
  const members = unknownName(output) === undefined ? { ...Object(output) } : knownMembers(output);
  return Object.fromEntries(Object.entries(members).filter(([key]) => !hasMarker(key)));
}

function isSame(one: unknown, other: unknown): boolean {
  const [first, second] = [one, other].map((value) => JSON.stringify(renderWhole(value, (text) => text)));
  return first === second;
}

/** Encoded props in which each unknown value has another name, of another length. */
export function renamedUnknowns(encoded: Encoded): Encoded {
  if (typeof encoded === "string") return renamedText(encoded);
  if (typeof encoded !== "object" || encoded === null) return encoded;
  if (isList(encoded)) return encoded.map(renamedUnknowns);
  return Object.fromEntries(
    Object.entries(encoded).map(([key, member]): [string, Encoded] => {
      if (key === UNKNOWN_TAG && isList(member)) return [key, [`${member[0]}'`, renamedUnknowns(member[1] ?? {})]];
      if (key === "$bytes" && isList(member)) {
        return [key, [member[0] ?? null, Buffer.from(renamedText(textIn(member)), "latin1").toString("base64")]];
      }
      return [renamedText(key), renamedUnknowns(member)];
    }),
  );
}

/** The text in which each unknown value has another name, of another length. */
export function renamedText(text: string): string {
  return withoutMarkers(text, (what) => String(unknownValue(`${what}'`)));
}
