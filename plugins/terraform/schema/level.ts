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

/** The type of the object that a block or an object of nested attributes is. */
export const impliedType: (level: Level) => CtyType = memoized((level: Level): CtyType => {
  const attributes = Object.entries(level.attributes).map(([name, attribute]) => [name, typeOfAttribute(attribute)]);
  const blocks = blocksOf(level).map(([name, block]) => [name, typeOfBlocks(block)]);
  return ["object", Object.fromEntries([...attributes, ...blocks])];
});

export const typeOfAttribute: (attribute: Attribute) => CtyType = memoized(({ type, nested }: Attribute) =>
  nested ? typeOfNested(nested) : withoutOptional(type),
);

/** The type of an attribute that has nested ones. */
export const typeOfNested: (nested: NestedAttributes) => CtyType = memoized((nested: NestedAttributes): CtyType => {
  const type = impliedType(nested);
  return nested.nesting === "single" ? type : [nested.nesting, type];
});

/** Blocks that may each have another type come as a tuple or an object, which tells its type itself. */
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

/** Blocks that tell the type of the whole as a plain array or record of blocks that each have the type of the schema. */
export function openBlocks({ block }: NestedBlock, value: CtyValue): CtyValue {
  if (!(value instanceof Dynamic)) return value;
  return withDynamics(wholeType(impliedType(block), value.value), value.type, value.value);
}

/** The way back: blocks as the schema's type has them. */
export function closeBlocks(nested: NestedBlock, value: CtyValue): CtyValue {
  if (typeOfBlocks(nested) !== "dynamic" || !(isList(value) || isRecord(value))) return value;
  return concrete(wholeType(impliedType(nested.block), value), value);
}

function wholeType(element: CtyType, value: CtyValue): CtyType {
  if (isList(value)) return ["tuple", value.map(() => element)];
  return ["object", Object.fromEntries(isRecord(value) ? Object.keys(value).map((key) => [key, element]) : [])];
}

/** The objects that nested blocks or attributes are, each with the steps that lead to it. */
export function objectsIn({ nesting }: Nested, value: CtyValue): readonly (readonly [readonly PathStep[], CtyValue])[] {
  if (nesting === "single" || nesting === "group") return [[[], value]];
  if (isList(value)) return value.map((element, key) => [[{ element: "number", key }], element]);
  if (!isRecord(value)) return [];
  return Object.entries(value).map(([key, member]) => [[{ element: "string", key }], member]);
}

/** The same nested blocks or attributes with each object turned into another. */
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

/** What a level is where nothing is configured, whatever is required: attributes null, no blocks. */
export function emptyValue(level: Level): CtyValue {
  const attributes = Object.keys(level.attributes).map((name) => [name, null] as const);
  const blocks = blocksOf(level).map(([name, block]) => [name, emptyBlocks(block)] as const);
  return recordOf([...attributes, ...blocks]);
}

/** What blocks of one name are where there is none. */
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

/** A member of an object; of one that is unknown, all are. */
export function memberIn(value: CtyValue, name: string): CtyValue {
  return value instanceof Unknown ? value : memberOf(value, name);
}
