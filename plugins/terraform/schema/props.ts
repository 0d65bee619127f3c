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
import { blocksOf, type Level, type Nested, nestedIn, openBlocks, typeOfAttribute } from "./level.js";
import type { ProgramPath } from "./names.js";
import { namesOf } from "./names.js";
import type { Attribute, NestedBlock } from "./schema.js";
import { isMembered } from "./written-only.js";

/** How a program is shown what it cannot have as it is; paths are in its own names. */
export interface Show {
  /** What stands for a value that is not known yet. Default: nothing does. */
  readonly unknown?: (path: ProgramPath) => unknown;
  /** What stands for a sensitive value. Default: the value itself. */
  readonly sensitive?: (value: unknown, path: ProgramPath) => unknown;
}

/**
 * A value of a provider as a program has it: in the program's names, and without what is null, so that it can be passed on to
 * props that may be left out. Elements of lists and maps that are null stay so. Blocks that there may be several of are arrays,
 * or records, and empty where there is none.
 */
export function propsOf(level: Level, value: CtyValue, show: Show = {}): unknown {
  return shownLevel(level, value, { path: [], show });
}

/** The same of nested blocks or attributes; null where there is nothing. */
export function nestedForProgram(nested: Nested, value: CtyValue): unknown {
  return shownNested(nested, value, { path: [], show: {} });
}

/** The same of a value of a type that is no nested one; null where it is null. */
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
  const all: readonly (readonly [string, Attribute | NestedBlock])[] = [
    ...Object.entries(level.attributes),
    ...blocksOf(level),
  ];
  return Object.fromEntries(
    all.flatMap(([name, of]) => {
      const program = names.toProgram.get(name) ?? name;
      const member = shownMember(of, memberOf(value, name), at(shown, program));
      return member === null || member === undefined ? [] : [[program, member]];
    }),
  );
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
  // What tells its type itself has the names that were given to it.
  if (value instanceof Dynamic) return shownValue("dynamic", value.value, shown);
  if (value instanceof Unknown) return unknownAt(shown);
  if (isList(value))
    return value.map((element, index) => shownValue(elementType(type, index), element, at(shown, index)));
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

/** Props that a program passes as undefined, so that a provider that misses one of them is not asked to explain why. */
export interface UndefinedProp {
  readonly path: ProgramPath;
  /** The provider's name of the attribute or the block. */
  readonly name: string;
}

export function undefinedProps(level: Level, props: unknown, path: ProgramPath = []): readonly UndefinedProp[] {
  if (!isMembered(props)) return [];
  const { toProgram } = namesOf(level);
  const all: readonly (readonly [string, Attribute | NestedBlock])[] = [
    ...Object.entries(level.attributes),
    ...blocksOf(level),
  ];
  return all.flatMap(([name, of]) => {
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
