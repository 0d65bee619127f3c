/**
 * Values of both sides in one JSON form: null is left out, sets are sorted, numbers are texts, and unknown values are
 * marked.
 */
import {
  type CtyType,
  type CtyValue,
  Dynamic,
  elementType,
  isList,
  isRecord,
  numberOf,
  numberText,
  Unknown,
} from "../../../../plugins/terraform/cty/index.js";

const UNKNOWN = "(unknown)";

/** Form of a value of this engine. */
export function canonicalValue(type: CtyType, value: CtyValue): unknown {
  if (value instanceof Unknown) return UNKNOWN;
  if (value instanceof Dynamic) return canonicalValue(value.type, value.value);
  if (typeof value === "number" || typeof value === "bigint") return numberForm(numberText(value));
  if (type === "number" && typeof value === "string") return numberForm(value);
  if (isList(value)) return listForm(type, value, (of, one) => canonicalValue(of, one));
  return isRecord(value) ? recordForm(type, value, canonicalValue) : value;
}

/**
 * Form of OpenTofu's JSON, in which {@link parsedExactly} has converted each number.
 * @param unknown as in plans: true, or the same structure
 */
export function canonicalJson(type: CtyType, json: unknown, unknown: unknown = false): unknown {
  if (unknown === true) return UNKNOWN;
  if (isExact(json)) return numberForm(json.$number);
  if (typeof json === "number") return numberForm(String(json));
  if (type === "dynamic" && isTyped(json)) return canonicalJson(json.type, json.value);
  if (Array.isArray(json)) {
    return listForm(type, json, (of, one, at) => canonicalJson(of, one, Reflect.get(Object(unknown), at)));
  }
  if (typeof json === "object" || (json === undefined && typeof unknown === "object")) {
    if (json === null) return null;
    // OpenTofu leaves unknown values out of the planned ones.
    const all = { ...Object.fromEntries(Object.keys(Object(unknown)).map((name) => [name, null])), ...Object(json) };
    return recordForm(type, all, (of, one, name) => canonicalJson(of, one, Reflect.get(Object(unknown), name)));
  }
  return json;
}

/** True for a number that JSON would lose, as the fixture records it. */
function isExact(json: unknown): json is { readonly $number: string } {
  return typeof Reflect.get(Object(json), "$number") === "string";
}

function isTyped(json: unknown): json is { readonly type: CtyType; readonly value: unknown } {
  return (
    typeof json === "object" && json !== null && "type" in json && "value" in json && Object.keys(json).length === 2
  );
}

function listForm<T>(type: CtyType, all: readonly T[], form: (of: CtyType, one: T, at: number) => unknown): unknown {
  const forms = all.map((one, at) => form(elementType(type, at), one, at));
  return typeof type !== "string" && type[0] === "set" ? sorted(forms) : forms;
}

function recordForm<T>(
  type: CtyType,
  record: Readonly<Record<string, T>>,
  form: (of: CtyType, one: T, name: string) => unknown,
): unknown {
  const of = (name: string): CtyType => {
    if (typeof type === "string") return "dynamic";
    return type[0] === "object" ? (type[1][name] ?? "dynamic") : elementType(type, 0);
  };
  const members = Object.entries(record).map(([name, one]) => [name, form(of(name), one, name)] as const);
  const isMap = typeof type !== "string" && type[0] === "map";
  return Object.fromEntries(
    members
      .filter(([, one]) => isMap || (one !== null && one !== undefined))
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

export function sorted(all: readonly unknown[]): readonly unknown[] {
  return [...all].sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));
}

function numberForm(digits: string): string {
  return `number ${numberText(numberOf(digits) ?? digits)}`;
}

/** Parses JSON with its numbers in the canonical form: no digit is lost. */
export function parsedExactly(text: string): unknown {
  const token = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g;
  return JSON.parse(text.replace(token, (one) => (one.startsWith('"') ? one : JSON.stringify(numberForm(one)))));
}
