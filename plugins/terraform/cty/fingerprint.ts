import { isList, isNull, isRecord, memberOf } from "./known.js";
import { canonicalNumber } from "./number.js";
import type { CtyType } from "./type.js";
import { type CtyValue, Dynamic, Unknown } from "./value.js";

/** A text that two values of a type have in common where they are equal, and only there: to look up elements of sets by. */
export function fingerprint(type: CtyType, value: CtyValue): string {
  if (isNull(value)) return "null";
  if (value instanceof Unknown) return "unknown";
  if (value instanceof Dynamic) return `${typeFingerprint(value.type)} ${fingerprint(value.type, value.value)}`;
  if (typeof type === "string") return single(type, value);
  switch (type[0]) {
    case "object":
      return membersText(Object.entries(type[1]).map(([name, of]) => [name, fingerprint(of, memberOf(value, name))]));
    case "map": {
      const of = type[1];
      const members = isRecord(value) ? Object.entries(value) : [];
      return membersText(members.map(([key, member]) => [key, fingerprint(of, member)]));
    }
    case "tuple":
      return `[${type[1].map((of, index) => fingerprint(of, elementAt(value, index))).join()}]`;
    case "list":
    case "set": {
      const [kind, of] = type;
      const elements = isList(value) ? value.map((element) => fingerprint(of, element)) : [];
      return `[${(kind === "set" ? elements.sort() : elements).join()}]`;
    }
  }
}

function elementAt(value: CtyValue, index: number): CtyValue {
  return isList(value) ? (value[index] ?? null) : null;
}

function single(type: "string" | "number" | "bool" | "dynamic", value: CtyValue): string {
  const isNumeric = typeof value === "number" || typeof value === "bigint" || typeof value === "string";
  if (type === "number" && isNumeric) return canonicalNumber(value) ?? JSON.stringify(String(value));
  return JSON.stringify(String(value));
}

function membersText(members: readonly (readonly [string, string])[]): string {
  const texts = members.map(([name, text]) => `${JSON.stringify(name)}:${text}`);
  return `{${texts.sort().join()}}`;
}

function typeFingerprint(type: CtyType): string {
  if (typeof type === "string") return type;
  if (type[0] === "tuple") return `tuple[${type[1].map(typeFingerprint).join()}]`;
  if (type[0] !== "object") return `${type[0]}[${typeFingerprint(type[1])}]`;
  return `object${membersText(Object.entries(type[1]).map(([name, of]) => [name, typeFingerprint(of)]))}`;
}
