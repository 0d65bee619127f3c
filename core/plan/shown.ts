/** Values as a plan shows them. */
import { hash } from "node:crypto";
import { type InspectOptions, inspect, types } from "node:util";
import { bytesOf } from "../redaction/members.js";
import type { Redact } from "../redaction.js";
import { hasMarker, unknownName, withoutMarkers } from "../resource/unknown.js";
import { isPlainObject } from "../state/codec/builtin.js";

export const UNKNOWN = "(known after apply)";

/** Longer texts are shown by their beginning and their digest. */
const LONGEST = 1000;
const BEGINNING = 200;

/** What is left out of a text could not be compared with what a saved plan says. */
const WHOLE: InspectOptions = { depth: null, maxArrayLength: null, maxStringLength: null, breakLength: Infinity };

/** A decoded value as JSON without secrets; see PropertyChange. */
export function shown(value: unknown, redact: Redact): unknown {
  const text = (one: string): string => shortened(redact(withoutMarkers(one, () => UNKNOWN)));
  const show = (one: unknown): unknown => {
    if (unknownName(one) !== undefined) return UNKNOWN;
    if (typeof one === "string") return text(one);
    if (one === null || typeof one === "boolean" || (typeof one === "number" && Number.isFinite(one))) return one;
    if (typeof one !== "object") return one === undefined ? undefined : String(one);
    if (Array.isArray(one)) return one.map((element) => show(element) ?? null);
    if (isPlainObject(one)) {
      return Object.fromEntries(Object.entries(one).map(([key, member]) => [text(key), show(member)]));
    }
    const bytes = bytesOf(one);
    if (bytes) return bytesShown(bytes, redact);
    if ("toJSON" in one && typeof one.toJSON === "function") return show(one.toJSON());
    return text(inspect(legible(one, redact), WHOLE));
  };
  return show(value);
}

/** Of bytes that hold a secret not even the digest: a short one could be found by it. */
function bytesShown(bytes: Buffer, redact: Redact): string {
  if (hasMarker(bytes.toString("latin1"))) return UNKNOWN;
  const isSecret = redact(bytes.toString()) !== bytes.toString();
  return `(${bytes.byteLength} bytes, ${isSecret ? "with a secret" : `sha256 ${hash("sha256", bytes)}`})`;
}

/** What is inside of maps and sets, with bytes as they are shown elsewhere. */
function legible(value: unknown, redact: Redact): unknown {
  if (typeof value !== "object" || value === null) return value;
  const inner = (one: unknown): unknown => legible(one, redact);
  const bytes = bytesOf(value);
  if (bytes) return { [inspect.custom]: () => bytesShown(bytes, redact) };
  if (types.isMap(value)) return new Map([...value].map(([key, member]) => [inner(key), inner(member)]));
  if (types.isSet(value)) return new Set([...value].map(inner));
  if (Array.isArray(value)) return value.map(inner);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, inner(member)]));
}

function shortened(text: string): string {
  if (text.length <= LONGEST) return text;
  const unknownAt = text.indexOf(UNKNOWN);
  // What is known of it stands first: that much of the text there is, however long it turns out to be.
  if (unknownAt >= 0) return `${text.slice(0, Math.min(BEGINNING, unknownAt))}${UNKNOWN}…`;
  return `${text.slice(0, BEGINNING)}… (${text.length} characters, sha256 ${hash("sha256", text)})`;
}
