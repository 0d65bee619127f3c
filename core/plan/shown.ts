/** Values as a plan shows them. */
import { hash } from "node:crypto";
import { inspect, types } from "node:util";
import type { Redact } from "../redaction.js";
import { unknownName, withoutMarkers } from "../resource/unknown.js";
import { isPlainObject } from "../state/codec/builtin.js";

export const UNKNOWN = "(known after apply)";

/** Longer texts are shown by their beginning and their digest. */
const LONGEST = 1000;
const BEGINNING = 200;

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
    if (types.isUint8Array(one)) return `(${one.byteLength} bytes, sha256 ${hash("sha256", one)})`;
    if ("toJSON" in one && typeof one.toJSON === "function") return show(one.toJSON());
    return text(inspect(one, { depth: 8, breakLength: Number.POSITIVE_INFINITY }));
  };
  return show(value);
}

function shortened(text: string): string {
  if (text.length <= LONGEST) return text;
  const beginning = `${text.slice(0, BEGINNING)}…`;
  if (text.includes(UNKNOWN)) return `${beginning} ${UNKNOWN}`;
  return `${beginning} (${text.length} characters, sha256 ${hash("sha256", text)})`;
}
