/** Short forms for schemas. */
import {
  type Attribute,
  type Block,
  type NestedAttributes,
  type NestedBlock,
  typeOfNested,
} from "../../../../plugins/terraform/schema/index.js";

type Attributes = Readonly<Record<string, Attribute>>;

export const required: Attribute = { type: "string", required: true };
export const optional: Attribute = { type: "string", optional: true };
export const computed: Attribute = { type: "string", computed: true };
export const both: Attribute = { type: "string", optional: true, computed: true };

/** Attributes or types named `a` and `c`, or their values: in most schemas here `a` is configured, and `c` computed. */
export function pair<A, C>(a: A, c: C): { readonly a: A; readonly c: C } {
  return { a, c };
}

export function nested(
  nesting: NestedAttributes["nesting"],
  attributes: Attributes,
  kind: Partial<Attribute> = { optional: true },
): Attribute {
  const of = { nesting, attributes };
  return { ...kind, nested: of, type: typeOfNested(of) };
}

export function block(attributes: Attributes, blocks: Block["blocks"] = {}): Block {
  return { attributes, blocks };
}

export function blocks(nesting: NestedBlock["nesting"], inner: Block, [minItems, maxItems] = [0, 0]): NestedBlock {
  return { nesting, block: inner, minItems, maxItems };
}
