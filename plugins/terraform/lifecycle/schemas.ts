/** The schemas that recorded outputs were made by: a newer provider asks for them as they were, in the names that they had. */
import type { HandlerBase, Scope } from "../../../core/contract/index.js";
import type { Block, Schema } from "../schema/index.js";

function keyOf(typeName: string, version: number): string {
  return `terraform:schema:${typeName}:${version}`;
}

/** Once a run. */
const kept = new WeakMap<Scope, Set<string>>();

/** @param source of the provider that the type belongs to */
export async function keepSchema(
  { scope }: HandlerBase,
  source: string,
  typeName: string,
  schema: Schema,
): Promise<void> {
  const { root } = scope;
  const key = keyOf(`${source}:${typeName}`, schema.version);
  const known = kept.get(root) ?? new Set<string>();
  if (known.has(key)) return;
  kept.set(root, known.add(key));
  await root.set(key, shapeOf(schema.block));
}

/** Undefined where nothing was made by it. */
export async function keptSchema(
  { scope }: HandlerBase,
  source: string,
  typeName: string,
  version: number,
): Promise<Schema | undefined> {
  const block = await scope.root.get<Block>(keyOf(`${source}:${typeName}`, version));
  return block && { version, block };
}

/** Names and types, and what is a secret: no more is needed to know what an output says. */
function shapeOf({ attributes, blocks }: Block): Block {
  return {
    attributes: shapesOf(attributes),
    blocks: Object.fromEntries(
      Object.entries(blocks).map(([name, { nesting, block, minItems, maxItems }]) => [
        name,
        { nesting, block: shapeOf(block), minItems, maxItems },
      ]),
    ),
  };
}

function shapesOf(attributes: Block["attributes"]): Block["attributes"] {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, { type, nested, sensitive }]) => [
      name,
      {
        type,
        ...(nested && { nested: { nesting: nested.nesting, attributes: shapesOf(nested.attributes) } }),
        ...(sensitive && { sensitive }),
      },
    ]),
  );
}
