/** Converts plain values of a program to values of a provider's type. */
import { isUnknown, nearest, typeName } from "../../../core/base/index.js";
import {
  type CtyType,
  type CtyValue,
  conform,
  elementType,
  hasDynamic,
  isList,
  isNull,
  memberOf,
  recordOf,
  Unknown,
} from "../cty/index.js";
import { blocksOf, emptyValue, impliedType, type Level } from "./level.js";
import { type Names, namesOf, type ProgramPath, programPathIn } from "./names.js";
import type { Block, NestedBlock } from "./schema.js";

/** A problem of a prop. */
export interface PropProblem {
  readonly path: ProgramPath;
  readonly message: string;
}

/** The place of a value in the props, and the problems found so far. */
export interface Place {
  readonly path: ProgramPath;
  readonly problems: PropProblem[];
  /** True for a recorded output: it has values set by the provider, and is always valid. */
  readonly isRecorded?: boolean;
}

export function placeIn(place: Place, key: string | number): Place {
  return { ...place, path: [...place.path, key] };
}

export function complain(place: Place, message: string): null {
  place.problems.push({ path: place.path, message });
  return null;
}

/** Converts a value of an attribute: renames members of objects, and converts to the type. */
export function givenValue(type: CtyType, given: unknown, place: Place): CtyValue {
  const before = place.problems.length;
  const named = renamed(type, given, place);
  if (place.problems.length > before) return null;
  const { value, problems } = conform(type, named);
  for (const { path, message } of problems)
    place.problems.push({ path: [...place.path, ...programPathIn(type, path)], message });
  return value;
}

function renamed(type: CtyType, given: unknown, place: Place): CtyValue {
  if (given === undefined || given === null) return null;
  if (isUnknown(given)) return new Unknown();
  const elements = elementsOf(given);
  if (elements)
    return elements.map((element, index) => renamed(elementType(type, index), element, placeIn(place, index)));
  if (!isObject(given)) return single(given, place);
  if (typeof type !== "string" && type[0] === "object") return renamedObject(type[1], given, place);
  const of = typeof type !== "string" && type[0] === "map" ? type[1] : "dynamic";
  return recordOf(membersOf(given).map(([key, member]) => [key, renamed(of, member, placeIn(place, key))]));
}

function renamedObject(types: Readonly<Record<string, CtyType>>, given: object, place: Place): CtyValue {
  const names = namesOf(types);
  const members = new Map(membersOf(given));
  refuseUnknownNames(names, [...members.keys()], place);
  const entries = Object.entries(types).map(([name, type]) => {
    const program = names.toProgram.get(name) ?? name;
    return [name, renamed(type, members.get(program), placeIn(place, program))] as const;
  });
  return recordOf(entries);
}

/** Reports each unknown name, with the most similar known one. */
export function refuseUnknownNames(names: Names, given: readonly string[], place: Place): void {
  const known = [...names.toProvider.keys()];
  for (const name of given) {
    if (names.toProvider.has(name)) continue;
    const near = names.toProgram.get(name) ?? nearest(name, known);
    const hint = near === undefined ? `Known props: ${known.join(", ") || "none"}.` : `Did you mean "${near}"?`;
    complain(placeIn(place, name), `is not a prop of this type. ${hint}`);
  }
}

/** Returns the elements of an array or a `Set`. */
export function elementsOf(given: unknown): readonly unknown[] | undefined {
  if (Array.isArray(given)) return given;
  return given instanceof Set ? [...given] : undefined;
}

/** True for a record or a `Map`; false for objects that stand for a single value, such as a `Date`. */
export function isObject(given: unknown): given is object {
  const isSingle = given instanceof Date || given instanceof URL || ArrayBuffer.isView(given);
  return typeof given === "object" && given !== null && elementsOf(given) === undefined && !isSingle;
}

/** Returns the members that are not undefined. */
export function membersOf(given: object): readonly (readonly [string, unknown])[] {
  const entries =
    given instanceof Map ? [...given].map(([key, member]) => [String(key), member] as const) : Object.entries(given);
  return entries.filter(([, member]) => member !== undefined);
}

function single(given: unknown, place: Place): CtyValue {
  if (typeof given === "string" && /\p{Surrogate}/u.test(given))
    return complain(place, "contains half of a character (a lone surrogate), which no provider accepts.");
  if (typeof given === "string" || typeof given === "number" || typeof given === "bigint" || typeof given === "boolean")
    return given;
  if (given instanceof URL) return given.href;
  if (given instanceof Date)
    return Number.isNaN(given.getTime()) ? complain(place, "is an invalid date.") : timeText(given);
  if (ArrayBuffer.isView(given)) return complain(place, "is bytes. Pass them as text, e.g. in base64.");
  return complain(place, `is ${typeName(given)}, which no provider accepts.`);
}

/** Formats a time like RFC 3339 in Go: without a fraction of zero. */
function timeText(date: Date): string {
  return date.toISOString().replace(".000Z", "Z");
}

/**
 * Normalizes a value of a provider of the older kit. Blocks are then never null or unknown themselves, but empty, or
 * present with only unknown values.
 */
export function normalized(block: Block, value: CtyValue): CtyValue {
  return normalizedLevel(block, value);
}

function normalizedLevel(level: Level, value: CtyValue): CtyValue {
  if (isNull(value)) return null;
  const attributes = Object.keys(level.attributes).map((name) => [name, memberOf(value, name)] as const);
  const blocks = blocksOf(level).map(
    ([name, nested]) => [name, normalizedBlocks(nested, memberOf(value, name))] as const,
  );
  return recordOf([...attributes, ...blocks]);
}

function normalizedBlocks({ nesting, block }: NestedBlock, value: CtyValue): CtyValue {
  // The older kit has neither.
  if (nesting === "map" || hasDynamic(impliedType(block))) return value;
  if (nesting === "list" || nesting === "set") {
    if (value instanceof Unknown) return [unknownLevel(block)];
    return isList(value) ? value.map((element) => normalizedLevel(block, element)) : [];
  }
  if (value instanceof Unknown) return unknownLevel(block);
  return isNull(value) && nesting === "group" ? emptyValue(block) : normalizedLevel(block, value);
}

function unknownLevel(level: Level): CtyValue {
  const attributes = Object.keys(level.attributes).map((name) => [name, new Unknown()] as const);
  const blocks = blocksOf(level).map(([name, nested]) => [name, unknownBlocks(nested)] as const);
  return recordOf([...attributes, ...blocks]);
}

function unknownBlocks({ nesting, block }: NestedBlock): CtyValue {
  if (nesting === "map") return {};
  return nesting === "list" || nesting === "set" ? [unknownLevel(block)] : unknownLevel(block);
}
