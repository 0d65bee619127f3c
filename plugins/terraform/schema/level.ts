import {
  type CtyType,
  type CtyValue,
  concrete,
  Dynamic,
  hasDynamic,
  isList,
  isRecord,
  memberOf,
  memoized,
  type PathStep,
  recordOf,
  Unknown,
  withDynamics,
} from "../cty/index.js";
import type { Attribute, NestedAttributes, NestedBlock } from "./schema.js";

/** A schema with attributes, and maybe blocks: a block, or nested attributes. */
export interface Level {
  readonly attributes: Readonly<Record<string, Attribute>>;
  readonly blocks?: Readonly<Record<string, NestedBlock>>;
}

export type Nesting = NestedBlock["nesting"];

/** Nested blocks or nested attributes, and their nesting. */
export interface Nested {
  readonly nesting: Nesting;
  readonly level: Level;
}

export function nestedIn(of: Attribute | NestedBlock): Nested | undefined {
  if ("block" in of) return { nesting: of.nesting, level: of.block };
  return of.nested && { nesting: of.nested.nesting, level: of.nested };
}

/** Returns the attribute of a name; undefined if there is none. */
export function attributeOf(level: Level, name: string): Attribute | undefined {
  return Object.hasOwn(level.attributes, name) ? level.attributes[name] : undefined;
}

/** Returns the nested block of a name; undefined if there is none. */
export function blockOf(level: Level, name: string): NestedBlock | undefined {
  return level.blocks && Object.hasOwn(level.blocks, name) ? level.blocks[name] : undefined;
}

export const attributesOf: (level: Level) => readonly (readonly [string, Attribute])[] = memoized((level: Level) =>
  Object.entries(level.attributes),
);

export const blocksOf: (level: Level) => readonly (readonly [string, NestedBlock])[] = memoized((level: Level) =>
  Object.entries(level.blocks ?? {}),
);

export const attributesAndBlocks: (level: Level) => readonly (readonly [string, Attribute | NestedBlock])[] = memoized(
  (level: Level) => [...attributesOf(level), ...blocksOf(level)],
);

/** True for an attribute that only the provider sets. */
export function isComputedOnly(attribute: Attribute): boolean {
  return attribute.computed === true && attribute.optional !== true && attribute.required !== true;
}

/** Returns a cached test if any attribute of a level, or of a nested level, passes `test`. */
export function holding(test: (attribute: Attribute) => boolean): (level: Level) => boolean {
  const holds: (level: Level) => boolean = memoized((level: Level) => {
    const attributes = Object.values(level.attributes);
    const isHere = attributes.some((attribute) => test(attribute) || (attribute.nested && holds(attribute.nested)));
    return isHere || blocksOf(level).some(([, { block }]) => holds(block));
  });
  return holds;
}

/** Returns the object type of a block or of nested attributes. */
export const impliedType: (level: Level) => CtyType = memoized((level: Level): CtyType => {
  const attributes = attributesOf(level).map(([name, attribute]) => [name, typeOfAttribute(attribute)]);
  const blocks = blocksOf(level).map(([name, block]) => [name, typeOfBlocks(block)]);
  return ["object", Object.fromEntries([...attributes, ...blocks])];
});

export const typeOfAttribute: (attribute: Attribute) => CtyType = memoized(({ type, nested }: Attribute) =>
  nested ? typeOfNested(nested) : withoutOptional(type),
);

/** Returns the type of an attribute with nested attributes. */
export const typeOfNested: (nested: NestedAttributes) => CtyType = memoized((nested: NestedAttributes): CtyType => {
  const type = impliedType(nested);
  return nested.nesting === "single" ? type : [nested.nesting, type];
});

/** Returns the type of blocks. Blocks whose types may differ are a dynamic tuple or object, which carries its type. */
export const typeOfBlocks: (blocks: NestedBlock) => CtyType = memoized(({ nesting, block }: NestedBlock): CtyType => {
  const type = impliedType(block);
  if (nesting === "single" || nesting === "group") return type;
  return nesting !== "set" && hasDynamic(type) ? "dynamic" : [nesting, type];
});

function withoutOptional(type: CtyType): CtyType {
  if (typeof type === "string") return type;
  if (type[0] === "tuple") return ["tuple", type[1].map(withoutOptional)];
  if (type[0] !== "object") return [type[0], withoutOptional(type[1])];
  const members = Object.entries(type[1]).map(([name, member]) => [name, withoutOptional(member)]);
  return ["object", Object.fromEntries(members)];
}

/** Converts a dynamic value of blocks to a plain array or record of blocks with the type of the schema. */
export function openBlocks({ block }: NestedBlock, value: CtyValue): CtyValue {
  if (!(value instanceof Dynamic)) return value;
  return withDynamics(wholeType(impliedType(block), value.value), value.type, value.value);
}

/** Converts blocks back to the type of the schema; the inverse of {@link openBlocks}. */
export function closeBlocks(nested: NestedBlock, value: CtyValue): CtyValue {
  if (typeOfBlocks(nested) !== "dynamic" || !(isList(value) || isRecord(value))) return value;
  return concrete(wholeType(impliedType(nested.block), value), value);
}

function wholeType(element: CtyType, value: CtyValue): CtyType {
  if (isList(value)) return ["tuple", value.map(() => element)];
  return ["object", Object.fromEntries(isRecord(value) ? Object.keys(value).map((key) => [key, element]) : [])];
}

/** Returns the objects of nested blocks or attributes, each with the steps that lead to it. */
export function objectsIn({ nesting }: Nested, value: CtyValue): readonly (readonly [readonly PathStep[], CtyValue])[] {
  if (nesting === "single" || nesting === "group") return [[[], value]];
  if (isList(value)) return value.map((element, key) => [[{ element: "number", key }], element]);
  if (!isRecord(value)) return [];
  return Object.entries(value).map(([key, member]) => [[{ element: "string", key }], member]);
}

/** Replaces each object of nested blocks or attributes by the result of `turn`. */
export function mapObjects(
  { nesting }: Nested,
  value: CtyValue,
  turn: (object: CtyValue, steps: readonly PathStep[]) => CtyValue,
): CtyValue {
  if (nesting === "single" || nesting === "group") return turn(value, []);
  if (isList(value)) return value.map((element, key) => turn(element, [{ element: "number", key }]));
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(
    ([key, member]) => [key, turn(member, [{ element: "string", key }])] as const,
  );
  return recordOf(members);
}

/** Returns the value of a level without configuration, even if something is required: attributes null, no blocks. */
export function emptyValue(level: Level): CtyValue {
  const attributes = Object.keys(level.attributes).map((name) => [name, null] as const);
  const blocks = blocksOf(level).map(([name, block]) => [name, emptyBlocks(block)] as const);
  return recordOf([...attributes, ...blocks]);
}

/** Returns the value of blocks if there are none. */
export function emptyBlocks(nested: NestedBlock): CtyValue {
  switch (nested.nesting) {
    case "single":
      return null;
    case "group":
      return emptyValue(nested.block);
    case "list":
    case "set":
      return closeBlocks(nested, []);
    case "map":
      return closeBlocks(nested, {});
  }
}

/** Returns a member of an object. All members of an unknown object are unknown. */
export function memberIn(value: CtyValue, name: string): CtyValue {
  return value instanceof Unknown ? value : memberOf(value, name);
}
