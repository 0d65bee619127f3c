import { holdsKnownSecret, maskedStart } from "../../secrets/redactor.js";
import { type CtyValue, Dynamic, Unknown } from "./value.js";
import { isList, isNull, isRecord } from "./walk.js";

const MOST = 200;

/** Formats a value for a message, and cuts a long one. */
export function shown(value: CtyValue): string {
  const text = textOf(value);
  return text.length > MOST ? `${maskedStart(text, MOST)}…` : text;
}

/**
 * True if one of several values at the same place holds a known secret. Then no message may show any of them: a
 * provider may have made another form of the secret that is not known as one.
 */
export function areSecret(values: readonly CtyValue[]): boolean {
  return values.some((value) => holdsKnownSecret(textOf(value)));
}

function textOf(value: CtyValue): string {
  if (isNull(value)) return "null";
  if (value instanceof Unknown) return "unknown";
  if (value instanceof Dynamic) return textOf(value.value);
  if (isList(value)) return `[${value.map(textOf).join(", ")}]`;
  if (!isRecord(value)) return typeof value === "bigint" ? String(value) : JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([name, member]) => `${name}: ${textOf(member)}`)
    .join(", ")} }`;
}
