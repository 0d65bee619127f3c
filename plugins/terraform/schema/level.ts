import { memoized } from "../cty/index.js";
import type { Attribute, NestedBlock } from "./schema.js";

/** What has attributes, and maybe blocks: a block, or the object that nested attributes make. */
export interface Level {
  readonly attributes: Readonly<Record<string, Attribute>>;
  readonly blocks?: Readonly<Record<string, NestedBlock>>;
}

export type Nesting = NestedBlock["nesting"];

/** Nested blocks or nested attributes, and how there can be several. */
export interface Nested {
  readonly nesting: Nesting;
  readonly level: Level;
}

export function nestedIn(of: Attribute | NestedBlock): Nested | undefined {
  if ("block" in of) return { nesting: of.nesting, level: of.block };
  return of.nested && { nesting: of.nested.nesting, level: of.nested };
}

/** The attribute of that name; undefined where there is none. */
export function attributeOf(level: Level, name: string): Attribute | undefined {
  return Object.hasOwn(level.attributes, name) ? level.attributes[name] : undefined;
}

/** The nested block of that name; undefined where there is none. */
export function blockOf(level: Level, name: string): NestedBlock | undefined {
  return level.blocks && Object.hasOwn(level.blocks, name) ? level.blocks[name] : undefined;
}

export function blocksOf(level: Level): readonly (readonly [string, NestedBlock])[] {
  return Object.entries(level.blocks ?? {});
}

/** True for what only the provider sets. */
export function isComputedOnly(attribute: Attribute): boolean {
  return attribute.computed === true && attribute.optional !== true && attribute.required !== true;
}

/** Whether an attribute of a level, or of any level in it, is so. */
export function holding(test: (attribute: Attribute) => boolean): (level: Level) => boolean {
  const holds: (level: Level) => boolean = memoized((level: Level) => {
    const attributes = Object.values(level.attributes);
    const isHere = attributes.some((attribute) => test(attribute) || (attribute.nested && holds(attribute.nested)));
    return isHere || blocksOf(level).some(([, { block }]) => holds(block));
  });
  return holds;
}
