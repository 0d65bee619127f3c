import { counted } from "../../internal/text/counted.js";
import { numberOf, numberText } from "../../internal/text/decimal.js";
import { concrete, hasDynamic, withDynamics } from "./decode.js";
import { sameType, setOf } from "./equal.js";
import type { CtyType } from "./type.js";
import { type CtyValue, Dynamic, Unknown } from "./value.js";
import type { Path, Problem } from "./walk.js";
import { isList, isRecord, recordOf } from "./walk.js";

export interface Conformed {
  readonly value: CtyValue;
  /** Empty if the value now has the type. */
  readonly problems: readonly Problem[];
}

/**
 * Converts a value to a type, as for configurations: numbers and booleans to strings and back; lists, sets and tuples
 * into each other; maps and objects into each other. For `dynamic`, it infers the type.
 */
export function conform(type: CtyType, value: CtyValue): Conformed {
  const problems: Problem[] = [];
  const conformed = converted(type, value, { path: [], problems });
  return { value: conformed, problems };
}

interface At {
  readonly path: Path;
  readonly problems: Problem[];
}

function converted(type: CtyType, value: CtyValue, at: At): CtyValue {
  if (value === null || value instanceof Unknown) return value;
  if (type === "dynamic") return value instanceof Dynamic ? value : inferred(value, at);
  if (value instanceof Dynamic) return converted(type, value.value, at);
  if (typeof type === "string") return primitive(type, value) ?? refuse(at, wanted[type], value);
  switch (type[0]) {
    case "list":
    case "set":
      return isList(value) ? collection(type[0], type[1], value, at) : refuse(at, "a list", value);
    case "tuple":
      return isList(value) ? tuple(type[1], value, at) : refuse(at, "a list", value);
    case "map":
      return isRecord(value) ? map(type[1], value, at) : refuse(at, "a map", value);
    case "object":
      return isRecord(value) ? object(type[1], type[2] ?? [], value, at) : refuse(at, "an object", value);
  }
}

const wanted = { string: "a string", number: "a number", bool: "true or false" } as const;

function refuse(at: At, what: string, value: CtyValue): null {
  at.problems.push({ path: at.path, message: `must be ${what}, but is ${kindOf(value)}.` });
  return null;
}

function kindOf(value: CtyValue): string {
  if (isList(value)) return "a list";
  if (typeof value === "object") return "an object";
  if (typeof value === "string") return "a string";
  if (typeof value === "number" && !Number.isFinite(value)) return String(value);
  return typeof value === "boolean" ? "a boolean" : "a number";
}

function primitive(type: "string" | "number" | "bool", value: CtyValue): CtyValue | undefined {
  if (typeof value === "object") return undefined;
  if (type === "bool") {
    if (typeof value === "boolean") return value;
    return value === "true" || value === "1" ? true : value === "false" || value === "0" ? false : undefined;
  }
  if (type === "number") {
    if (typeof value === "string") return numberOf(value);
    return typeof value === "bigint" || (typeof value === "number" && Number.isFinite(value)) ? value : undefined;
  }
  if (typeof value === "number") return Number.isFinite(value) ? numberText(value) : undefined;
  // Providers have strings in NFC, so strings that look the same are equal.
  return typeof value === "bigint" ? numberText(value) : String(value).normalize();
}

function collection(kind: "list" | "set", of: CtyType, values: readonly CtyValue[], at: At): CtyValue {
  const elements = values.map((value, key) => converted(of, value, inner(at, { element: "number", key })));
  const alike = hasDynamic(of) ? ofOneType(of, elements, at) : elements;
  return kind === "set" ? setOf(of, alike) : alike;
}

function map(of: CtyType, value: { readonly [key: string]: CtyValue }, at: At): CtyValue {
  const keys = Object.keys(value);
  const members = keys.map((key) => converted(of, value[key] ?? null, inner(at, { element: "string", key })));
  const alike = hasDynamic(of) ? ofOneType(of, members, at) : members;
  return recordOf(keys.map((key, index) => [key.normalize(), alike[index] ?? null]));
}

function tuple(types: readonly CtyType[], values: readonly CtyValue[], at: At): CtyValue {
  if (types.length !== values.length) {
    at.problems.push({
      path: at.path,
      message: `must have ${counted(types.length, "element")}, but has ${values.length}.`,
    });
    return null;
  }
  return types.map((of, key) => converted(of, values[key] ?? null, inner(at, { element: "number", key })));
}

function object(
  types: Readonly<Record<string, CtyType>>,
  optional: readonly string[],
  value: { readonly [name: string]: CtyValue },
  at: At,
): CtyValue {
  const members = Object.entries(types).map(([name, of]) => {
    const isMissing = !Object.hasOwn(value, name);
    const member = inner(at, name);
    if (isMissing && !optional.includes(name)) at.problems.push({ path: member.path, message: "is missing." });
    return [name, isMissing ? null : converted(of, value[name] ?? null, member)] as const;
  });
  return recordOf(members);
}

function inner(at: At, step: Path[number]): At {
  return { path: [...at.path, step], problems: at.problems };
}

/** Converts elements with inferred types to one common type. */
function ofOneType(of: CtyType, elements: readonly CtyValue[], at: At): readonly CtyValue[] {
  const exact = elements.map((element) => concrete(of, element));
  const type = unify(exact.map((element) => element.type));
  if (type === undefined) {
    at.problems.push({ path: at.path, message: "must have elements that are all of the same type." });
    return elements;
  }
  return exact.map((element) => withDynamics(of, type, converted(type, element.value, at)));
}

function inferred(value: CtyValue, at: At): CtyValue {
  const type = typeOf(value);
  if (typeof value === "number" && !Number.isFinite(value)) return refuse(at, "a finite number", value);
  return new Dynamic(type, exactly(value));
}

/** Returns the type of a plain value: lists are tuples, records are objects. */
function typeOf(value: CtyValue): CtyType {
  if (value instanceof Dynamic) return value.type;
  if (isList(value)) return ["tuple", value.map(typeOf)];
  if (isRecord(value))
    return [
      "object",
      Object.fromEntries(Object.entries(value).map(([name, member]) => [name.normalize(), typeOf(member)])),
    ];
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  return typeof value === "object" ? "dynamic" : "number";
}

/** Removes the types inside a value whose whole type is known. */
function exactly(value: CtyValue): CtyValue {
  if (value instanceof Dynamic) return value.value;
  if (typeof value === "string") return value.normalize();
  if (isList(value)) return value.map(exactly);
  if (!isRecord(value)) return value;
  return recordOf(Object.entries(value).map(([name, member]) => [name.normalize(), exactly(member)]));
}

/** Returns one type that values of all these types convert to; undefined if there is none. `dynamic` fits any type. */
function unify(types: readonly CtyType[]): CtyType | undefined {
  const [first, ...rest] = types.filter((type) => type !== "dynamic");
  if (first === undefined) return "dynamic";
  if (rest.every((type) => sameType(first, type))) return first;
  const all = [first, ...rest];
  if (all.every(isPrimitive)) return all.includes("string") ? "string" : undefined;
  const [kind] = first;
  if (!all.every((type) => !isPrimitive(type) && type[0] === kind)) return undefined;
  if (kind === "object") return unifyObjects(all);
  return kind === "tuple" ? unifyTuples(all) : wrapped(kind as "list" | "set" | "map", all.flatMap(innerTypes));
}

function isPrimitive(type: CtyType): boolean {
  return typeof type === "string";
}

function wrapped(kind: "list" | "set" | "map", inner: readonly CtyType[]): CtyType | undefined {
  const type = unify(inner);
  return type && [kind, type];
}

/** Objects with different names become maps, if their members can have one type. */
function unifyObjects(types: readonly CtyType[]): CtyType | undefined {
  const members = types.map(
    (type) => new Map(Object.entries(type[0] === "object" && !isPrimitive(type) ? type[1] : {})),
  );
  const names = [...(members[0]?.keys() ?? [])];
  const haveSame = members.every((of) => of.size === names.length && names.every((name) => of.has(name)));
  if (!haveSame) return wrapped("map", types.flatMap(innerTypes));
  const unified: [string, CtyType][] = [];
  for (const name of names) {
    const type = unify(members.flatMap((of) => of.get(name) ?? []));
    if (type === undefined) return undefined;
    unified.push([name, type]);
  }
  return ["object", Object.fromEntries(unified)];
}

/** Tuples of different lengths become lists, if their elements can have one type. */
function unifyTuples(types: readonly CtyType[]): CtyType | undefined {
  const all = types.map(innerTypes);
  const length = all[0]?.length ?? 0;
  if (!all.every((elements) => elements.length === length)) return wrapped("list", all.flat());
  const unified: CtyType[] = [];
  for (let index = 0; index < length; index++) {
    const type = unify(all.map((elements) => elements[index] ?? "dynamic"));
    if (type === undefined) return undefined;
    unified.push(type);
  }
  return ["tuple", unified];
}

function innerTypes(type: CtyType): readonly CtyType[] {
  if (typeof type === "string") return [];
  if (type[0] === "tuple") return type[1];
  return type[0] === "object" ? Object.values(type[1]) : [type[1]];
}
