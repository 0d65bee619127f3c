/** Renders values as a plan shows them. */

import { type InspectOptions, inspect, types } from "node:util";
import {
  bytesOf,
  hasMarker,
  knownMembers,
  nodeCrypto,
  type Redact,
  UNKNOWN,
  unknownName,
  withoutMarkers,
} from "../../../core/base/index.js";
import { isPlainObject } from "../../../core/codec/index.js";

/** Longer texts are shown by their beginning and digest. */
const LONGEST = 1000;
const BEGINNING = 200;
/** Replaces a cut part that contains an unknown value. */
const CUT = `… ${UNKNOWN}`;

/** Shows everything: a shortened text could not be compared with a saved plan. */
const WHOLE: InspectOptions = { depth: null, maxArrayLength: null, maxStringLength: null, breakLength: Infinity };

/** Renders a decoded value as JSON without secrets; see PropertyChange. */
export function renderValue(value: unknown, redact: Redact): unknown {
  return shownBy(value, redact, (text) => shortened(redact(text)));
}

/** Renders a value with texts at full length, to compare it with a shown one. */
export function renderWhole(value: unknown, redact: Redact): unknown {
  return shownBy(value, redact, redact);
}

function shownBy(value: unknown, redact: Redact, textOf: (text: string) => string): unknown {
  const text = (one: string): string => textOf(withoutMarkers(one, () => UNKNOWN));
  const show = (one: unknown): unknown => {
    if (unknownName(one) !== undefined) {
      const known = Object.entries(knownMembers(one)).map(([key, member]) => [text(key), show(member)]);
      return known.length === 0 ? UNKNOWN : Object.fromEntries([...known, [UNKNOWN, UNKNOWN]]);
    }
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

/** Bytes that contain a secret get no digest: a short secret could be found by it. */
function bytesShown(bytes: Buffer, redact: Redact): string {
  if (hasMarker(bytes.toString("latin1"))) return UNKNOWN;
  const isSecret = redact(bytes.toString()) !== bytes.toString();
  return `(${bytes.byteLength} bytes, ${isSecret ? "with a secret" : `sha256 ${nodeCrypto().hash("sha256", bytes)}`})`;
}

/** Converts the content of maps and sets, so that bytes look as elsewhere. */
function legible(value: unknown, redact: Redact): unknown {
  if (unknownName(value) !== undefined) return { [inspect.custom]: () => UNKNOWN };
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

/** Returns true if a text that was partly known in a plan can have become this one, at full length. */
export function canBecome(planned: string, actual: string): boolean {
  if (!planned.includes(UNKNOWN)) return planned === actual || planned === shortened(actual);
  // A long text was cut after its beginning.
  const isCut = planned.endsWith(CUT);
  const kept = isCut ? `${planned.slice(0, -CUT.length)}${UNKNOWN}` : planned;
  const beginning = kept.slice(0, kept.indexOf(UNKNOWN));
  const end = kept.slice(kept.lastIndexOf(UNKNOWN) + UNKNOWN.length);
  return actual.length >= beginning.length + end.length && actual.startsWith(beginning) && actual.endsWith(end);
}

function shortened(text: string): string {
  if (text.length <= LONGEST) return text;
  if (text.includes(UNKNOWN)) return `${text.slice(0, beginningOf(text))}${CUT}`;
  return `${text.slice(0, BEGINNING)}… (${text.length} characters, sha256 ${nodeCrypto().hash("sha256", text)})`;
}

/** Does not cut an unknown marker in half: half of it would not be recognized. */
function beginningOf(text: string): number {
  const at = text.lastIndexOf(UNKNOWN, BEGINNING - 1);
  return at >= 0 && at + UNKNOWN.length > BEGINNING ? at : BEGINNING;
}
