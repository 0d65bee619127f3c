import { type CtyType, hasDynamic, memoized } from "../cty/index.js";
import { blocksOf, type Level } from "./level.js";
import type { Attribute, NestedAttributes, NestedBlock } from "./schema.js";

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
