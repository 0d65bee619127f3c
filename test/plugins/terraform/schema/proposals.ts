import { expect } from "vitest";
import { type CtyValue, isEqual } from "../../../../plugins/terraform/cty/index.js";
import { type Block, impliedType, proposedNew } from "../../../../plugins/terraform/schema/index.js";
import { block } from "./shapes.js";

/** A proposed state for a prior state and a configuration. */
interface Case {
  readonly schema: Block;
  readonly prior: CtyValue;
  readonly config: CtyValue;
  readonly want: CtyValue;
}

export function check({ schema, prior, config, want }: Case): void {
  const proposed = proposedNew(schema, prior, config);
  expect(isEqual(impliedType(schema), proposed, want), JSON.stringify(proposed)).toBe(true);
}

/** A case with one attribute, `x`. */
export function ofAttribute(
  attribute: Block["attributes"][string],
  prior: CtyValue,
  config: CtyValue,
  want: CtyValue,
): Case {
  return { schema: block({ x: attribute }), prior: { x: prior }, config: { x: config }, want: { x: want } };
}

/** A case with blocks of one name, `x`. */
export function ofBlocks(of: Block["blocks"][string], prior: CtyValue, config: CtyValue, want: CtyValue): Case {
  return { schema: block({}, { x: of }), prior: { x: prior }, config: { x: config }, want: { x: want } };
}
