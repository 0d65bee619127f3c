/**
 * Writes values of dynamic attributes in Terraform's JSON language. JSON has only tuples and objects, so lists, sets
 * and maps become expressions that convert to them.
 */
import { type CtyType, type CtyValue, elementType, isList, isRecord, numberText } from "../cty/index.js";

/** Returns the JSON of a value of a known type. */
export function typedText(type: CtyType, value: CtyValue): string {
  // A number that no `number` holds is a text.
  if (type === "number" && typeof value === "string") return value;
  if (value === null || typeof type === "string") return scalarText(value);
  if (type[0] !== "tuple" && type[0] !== "object") return JSON.stringify(`\${${expression(type, value)}}`);
  if (isList(value)) return `[${value.map((one, at) => typedText(elementType(type, at), one)).join(", ")}]`;
  return `{${membersIn(type, value).map(([name, of, one]) => `${JSON.stringify(escaped(name))}: ${typedText(of, one)}`)}}`;
}

/** Returns the JSON of a text, a number, a boolean or null. */
export function scalarText(value: CtyValue): string {
  if (typeof value === "number" || typeof value === "bigint") return numberText(value);
  return JSON.stringify(typeof value === "string" ? escaped(value) : value);
}

/** Escapes a text, because texts are templates. */
export function escaped(text: string): string {
  return text.replaceAll(/[$%](?=\{)/g, (sign) => sign + sign);
}

/** Returns a value in Terraform's own syntax. */
function expression(type: CtyType, value: CtyValue): string {
  if (value === null) return "null";
  if (typeof type === "string") return type === "string" ? quoted(String(value)) : typedText(type, value);
  if (isList(value)) return listOf(type, value);
  const members = membersIn(type, value).map(([name, of, one]) => `${quoted(name)} = ${expression(of, one)}`);
  const object = `{${members.join(", ")}}`;
  if (type[0] !== "map") return object;
  if (members.length > 0) return `tomap(${object})`;
  return type[1] === "dynamic" ? "tomap({})" : `zipmap(${emptyList("string")}, ${emptyList(type[1])})`;
}

function listOf(type: Exclude<CtyType, string>, value: readonly CtyValue[]): string {
  const elements = `[${value.map((one, at) => expression(elementType(type, at), one)).join(", ")}]`;
  if (type[0] === "tuple") return elements;
  const list = value.length > 0 || type[1] === "dynamic" ? `tolist(${elements})` : emptyList(elementType(type));
  return type[0] === "set" ? `toset(${list})` : list;
}

/** The language infers the type of elements from the first one. */
function emptyList(element: CtyType): string {
  return `slice(tolist([${sample(element)}]), 0, 0)`;
}

function sample(type: CtyType): string {
  if (typeof type === "string") return { string: '""', number: "0", bool: "false", dynamic: "null" }[type];
  const [kind, inner] = type;
  if (kind === "tuple") return `[${inner.map(sample).join(", ")}]`;
  if (kind === "object") return `{${Object.entries(inner).map(([name, of]) => `${quoted(name)} = ${sample(of)}`)}}`;
  return kind === "map" ? `tomap({a = ${sample(inner)}})` : `to${kind}([${sample(inner)}])`;
}

function membersIn(type: Exclude<CtyType, string>, value: CtyValue): readonly (readonly [string, CtyType, CtyValue])[] {
  const members = isRecord(value) ? Object.entries(value) : [];
  return members.map(([name, one]) => [
    name,
    (type[0] === "object" ? type[1][name] : elementType(type)) ?? "dynamic",
    one,
  ]);
}

/** Terraform's syntax has fewer escapes than JSON. */
function quoted(text: string): string {
  return escaped(JSON.stringify(text)).replaceAll("\\b", "\\u0008").replaceAll("\\f", "\\u000c");
}
