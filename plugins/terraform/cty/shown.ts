import { isList, isNull, isRecord } from "./known.js";
import { type CtyValue, Dynamic, Unknown } from "./value.js";

const MOST = 200;

/** A value in a message, cut where it is long. */
export function shown(value: CtyValue): string {
  const text = textOf(value);
  return text.length > MOST ? `${text.slice(0, MOST)}…` : text;
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
