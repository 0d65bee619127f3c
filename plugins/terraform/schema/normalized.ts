import { type CtyValue, hasDynamic, isList, isNull, memberOf, recordOf, Unknown } from "../cty/index.js";
import { impliedType } from "./implied-type.js";
import { blocksOf, type Level } from "./level.js";
import { emptyValue } from "./nested-values.js";
import type { Block, NestedBlock } from "./schema.js";

/**
 * What a provider of the older kit gave, as others would have: blocks are never null or unknown themselves, but empty, or there
 * with all in them unknown.
 */
export function normalized(block: Block, value: CtyValue): CtyValue {
  return normalizedLevel(block, value);
}

function normalizedLevel(level: Level, value: CtyValue): CtyValue {
  if (isNull(value)) return null;
  const attributes = Object.keys(level.attributes).map((name) => [name, memberOf(value, name)] as const);
  const blocks = blocksOf(level).map(
    ([name, nested]) => [name, normalizedBlocks(nested, memberOf(value, name))] as const,
  );
  return recordOf([...attributes, ...blocks]);
}

function normalizedBlocks({ nesting, block }: NestedBlock, value: CtyValue): CtyValue {
  // The older kit knows neither of both.
  if (nesting === "map" || hasDynamic(impliedType(block))) return value;
  if (nesting === "list" || nesting === "set") {
    if (value instanceof Unknown) return [unknownLevel(block)];
    return isList(value) ? value.map((element) => normalizedLevel(block, element)) : [];
  }
  if (value instanceof Unknown) return unknownLevel(block);
  return isNull(value) && nesting === "group" ? emptyValue(block) : normalizedLevel(block, value);
}

function unknownLevel(level: Level): CtyValue {
  const attributes = Object.keys(level.attributes).map((name) => [name, new Unknown()] as const);
  const blocks = blocksOf(level).map(([name, nested]) => [name, unknownBlocks(nested)] as const);
  return recordOf([...attributes, ...blocks]);
}

function unknownBlocks({ nesting, block }: NestedBlock): CtyValue {
  if (nesting === "map") return {};
  return nesting === "list" || nesting === "set" ? [unknownLevel(block)] : unknownLevel(block);
}
