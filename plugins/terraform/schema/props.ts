import {
  type CtyType,
  type CtyValue,
  Dynamic,
  elementType,
  isKnown,
  isList,
  isRecord,
  memberOf,
  Unknown,
} from "../cty/index.js";
import { elementsOf } from "./given-value.js";
import { attributesAndBlocks, type Level, type Nested, nestedIn, openBlocks, typeOfAttribute } from "./level.js";
import type { ProgramPath } from "./names.js";
import { namesOf } from "./names.js";
import type { Attribute, NestedBlock } from "./schema.js";
import { isMembered } from "./written-only.js";

/** Substitutes for unknown and sensitive values. Paths are in the names of the program. */
export interface Show {
  /** Substitute for an unknown value. Default: undefined. */
  readonly unknown?: (path: ProgramPath) => unknown;
  /** Substitute for a sensitive value. Default: the value itself. */
  readonly sensitive?: (value: unknown, path: ProgramPath) => unknown;
  /** Substitute for a number with a fraction that no `number` holds exactly. Default: its digits as text. */
  readonly decimal?: (digits: string) => unknown;
}

/**
 * Converts a value of a provider for a program: with the program's names, and without null members, so that it can be
 * passed to optional props. Null elements of lists and maps stay. Repeatable blocks are arrays or records, and empty if
 * there are none.
 */
export function propsOf(level: Level, value: CtyValue, show: Show = {}): unknown {
  return shownLevel(level, value, { path: [], show });
}

/** Converts nested blocks or attributes; null if there are none. */
export function nestedForProgram(nested: Nested, value: CtyValue): unknown {
  return shownNested(nested, value, { path: [], show: {} });
}

/** Converts a value of a type without nested attributes; null stays null. */
export function valueForProgram(type: CtyType, value: CtyValue, show: Show = {}): unknown {
  return shownValue(type, value, { path: [], show });
}

interface Shown {
  readonly path: ProgramPath;
  readonly show: Show;
}

function at({ path, show }: Shown, key: string | number): Shown {
  return { path: [...path, key], show };
}

function unknownAt({ path, show }: Shown): unknown {
  return show.unknown?.(path);
}

function shownLevel(level: Level, value: CtyValue, shown: Shown): unknown {
  if (value instanceof Unknown) return unknownAt(shown);
  if (!isRecord(value)) return null;
  const names = namesOf(level);
  const entries: [string, unknown][] = [];
  for (const [name, of] of attributesAndBlocks(level)) {
    const own = memberOf(value, name);
    if (own === null) continue;
    const program = names.toProgram.get(name) ?? name;
    const member = shownMember(of, own, at(shown, program));
    if (member !== null && member !== undefined) entries.push([program, member]);
  }
  return Object.fromEntries(entries);
}

function shownMember(of: Attribute | NestedBlock, value: CtyValue, shown: Shown): unknown {
  if ("block" in of) return shownNested({ nesting: of.nesting, level: of.block }, openBlocks(of, value), shown);
  const member = of.nested
    ? shownNested({ nesting: of.nested.nesting, level: of.nested }, value, shown)
    : shownValue(typeOfAttribute(of), value, shown);
  const isHidden = of.sensitive && isKnown(value) && member !== null && shown.show.sensitive !== undefined;
  return isHidden ? shown.show.sensitive?.(member, shown.path) : member;
}

function shownNested({ nesting, level }: Nested, value: CtyValue, shown: Shown): unknown {
  if (value instanceof Unknown) return unknownAt(shown);
  if (nesting === "single" || nesting === "group") return shownLevel(level, value, shown);
  if (isList(value)) return value.map((element, index) => shownLevel(level, element, at(shown, index)));
  if (!isRecord(value)) return null;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, shownLevel(level, member, at(shown, key))]),
  );
}

function shownValue(type: CtyType, value: CtyValue, shown: Shown): unknown {
  // A dynamic value keeps the names that it was given.
  if (value instanceof Dynamic) return shownValue("dynamic", value.value, shown);
  if (value instanceof Unknown) return unknownAt(shown);
  if (isList(value))
    return value.map((element, index) => shownValue(elementType(type, index), element, at(shown, index)));
  if (type === "number" && typeof value === "string") return shown.show.decimal?.(value) ?? value;
  if (!isRecord(value)) return value;
  if (typeof type !== "string" && type[0] === "object") return shownObject(type[1], value, shown);
  const entries = Object.entries(value).map(([key, member]) => [
    key,
    shownValue(elementType(type, 0), member, at(shown, key)),
  ]);
  return Object.fromEntries(entries);
}

function shownObject(types: Readonly<Record<string, CtyType>>, value: CtyValue, shown: Shown): unknown {
  const names = namesOf(types);
  return Object.fromEntries(
    Object.entries(types).flatMap(([name, type]) => {
      const program = names.toProgram.get(name) ?? name;
      const member = shownValue(type, memberOf(value, name), at(shown, program));
      return member === null || member === undefined ? [] : [[program, member]];
    }),
  );
}

/** A prop that a program passes as undefined. It explains an error of a provider that misses the prop. */
export interface UndefinedProp {
  readonly path: ProgramPath;
  /** The provider's name of the attribute or the block. */
  readonly name: string;
}

export function undefinedProps(level: Level, props: unknown, path: ProgramPath = []): readonly UndefinedProp[] {
  if (!isMembered(props)) return [];
  const { toProgram } = namesOf(level);
  return attributesAndBlocks(level).flatMap(([name, of]) => {
    const program = toProgram.get(name) ?? name;
    if (!Object.hasOwn(props, program)) return [];
    const member = props[program];
    const at = [...path, program];
    return member === undefined ? [{ path: at, name }] : undefinedIn(nestedIn(of), member, at);
  });
}

function undefinedIn(nested: Nested | undefined, given: unknown, path: ProgramPath): readonly UndefinedProp[] {
  if (!nested) return [];
  const { level, nesting } = nested;
  const elements = elementsOf(given);
  if (elements) return elements.flatMap((element, index) => undefinedProps(level, element, [...path, index]));
  if (nesting !== "map" || !isMembered(given)) return undefinedProps(level, given, path);
  return Object.entries(given).flatMap(([key, member]) => undefinedProps(level, member, [...path, key]));
}
