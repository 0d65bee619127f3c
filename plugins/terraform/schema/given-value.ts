/** Plain values of a program as values of a provider's type. */
import { isUnknown, nearest } from "../../../core/base/index.js";
import { type CtyType, type CtyValue, conform, elementType, recordOf, Unknown } from "../cty/index.js";
import { type Names, namesOf } from "./names.js";
import { type ProgramPath, programPathIn } from "./program-path.js";

/** What is wrong with a prop. */
export interface PropProblem {
  readonly path: ProgramPath;
  readonly message: string;
}

/** Where a value stands in the props, and what there is to say against them. */
export interface Place {
  readonly path: ProgramPath;
  readonly problems: PropProblem[];
  /** True for what is recorded: it has what a provider has set itself, and whatever it has is right. */
  readonly isRecorded?: boolean;
}

export function placeIn(place: Place, key: string | number): Place {
  return { ...place, path: [...place.path, key] };
}

export function complain(place: Place, message: string): null {
  place.problems.push({ path: place.path, message });
  return null;
}

/** A value of an attribute: renamed where its type has names, converted where it is another one. */
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

/** Complains of each name that there is not, with the one that was meant. */
export function refuseUnknownNames(names: Names, given: readonly string[], place: Place): void {
  const known = [...names.toProvider.keys()];
  for (const name of given) {
    if (names.toProvider.has(name)) continue;
    const near = names.toProgram.get(name) ?? nearest(name, known);
    const hint = near === undefined ? `Known: ${known.join(", ") || "none"}.` : `Did you mean "${near}"?`;
    complain(placeIn(place, name), `is no prop of this type. ${hint}`);
  }
}

/** Elements of an array or a `Set`. */
export function elementsOf(given: unknown): readonly unknown[] | undefined {
  if (Array.isArray(given)) return given;
  return given instanceof Set ? [...given] : undefined;
}

/** A record or a `Map`, and nothing that stands for a single value. */
export function isObject(given: unknown): given is object {
  const isSingle = given instanceof Date || given instanceof URL || ArrayBuffer.isView(given);
  return typeof given === "object" && given !== null && elementsOf(given) === undefined && !isSingle;
}

/** Members that are there: what is undefined is not. */
export function membersOf(given: object): readonly (readonly [string, unknown])[] {
  const entries =
    given instanceof Map ? [...given].map(([key, member]) => [String(key), member] as const) : Object.entries(given);
  return entries.filter(([, member]) => member !== undefined);
}

function single(given: unknown, place: Place): CtyValue {
  if (typeof given === "string" && /\p{Surrogate}/u.test(given))
    return complain(place, "has half of a character in it, which no provider takes.");
  if (typeof given === "string" || typeof given === "number" || typeof given === "bigint" || typeof given === "boolean")
    return given;
  if (given instanceof URL) return given.href;
  if (given instanceof Date)
    return Number.isNaN(given.getTime()) ? complain(place, "is an invalid date.") : timeText(given);
  if (ArrayBuffer.isView(given)) return complain(place, "is bytes, which providers take as text, e.g. in base64.");
  return complain(place, `is a ${typeof given}, which no provider takes.`);
}

/** As Go writes RFC 3339: without a fraction where there is none. */
function timeText(date: Date): string {
  return date.toISOString().replace(".000Z", "Z");
}
