/** Props that a program passes as undefined, so that a provider that misses one of them is not asked to explain why. */
import { elementsOf } from "./given-value.js";
import { blocksOf, type Level, type Nested, nestedIn } from "./level.js";
import { namesOf } from "./names.js";
import type { ProgramPath } from "./program-path.js";
import type { Attribute, NestedBlock } from "./schema.js";
import { isMembered } from "./written-only.js";

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
