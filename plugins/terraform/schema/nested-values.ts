import {
  type CtyType,
  type CtyValue,
  concrete,
  Dynamic,
  isList,
  isRecord,
  memberOf,
  type PathStep,
  recordOf,
  Unknown,
  withDynamics,
} from "../cty/index.js";
import { impliedType, typeOfBlocks } from "./implied-type.js";
import { blocksOf, type Level, type Nested } from "./level.js";
import type { NestedBlock } from "./schema.js";

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
