/** Guesses the configuration that a recorded value was made from. Pure. */
import { type CtyValue, Dynamic, isList, isRecord, memberOf, recordOf } from "../../terraform/cty/index.js";
import {
  type Attribute,
  attributesOf,
  blocksOf,
  closeBlocks,
  emptyBlocks,
  isComputedOnly,
  type Level,
  type Nested,
  nestedIn,
  openBlocks,
} from "../../terraform/schema/index.js";

/** The members of the outermost level that are taken with all their values. */
export interface Taken {
  readonly whole: ReadonlySet<string>;
}

/**
 * Returns the configuration with the members that a person writes: required ones, and optional ones with a value that
 * says something. Members that the provider may compute are left to it, unless they are taken whole.
 */
export function candidate(level: Level, value: CtyValue, { whole }: Taken): CtyValue {
  return configured(level, value, (name) => (whole.has(name) ? "whole" : "lean"));
}

type Extent = "lean" | "whole";

function configured(level: Level, value: CtyValue, extentOf: (name: string) => Extent): CtyValue {
  const attributes = attributesOf(level).map(([name, attribute]): [string, CtyValue] => {
    return [name, attributeIn(name, attribute, memberOf(value, name), extentOf(name))];
  });
  const blocks = blocksOf(level).map(([name, block]): [string, CtyValue] => {
    const extent = extentOf(name);
    const opened = openBlocks(block, memberOf(value, name));
    if (opened === null || opened === undefined) return [name, emptyBlocks(block)];
    return [name, closeBlocks(block, inside({ nesting: block.nesting, level: block.block }, opened, extent))];
  });
  return recordOf([...attributes, ...blocks]);
}

function attributeIn(name: string, attribute: Attribute, value: CtyValue, extent: Extent): CtyValue {
  if (value === null || value === undefined || isComputedOnly(attribute) || attribute.writeOnly) return null;
  if (!attribute.required) {
    if (attribute.computed && (extent === "lean" || name === "id")) return null;
    if (extent === "lean" && isEmpty(value)) return null;
  }
  const nested = nestedIn(attribute);
  return nested ? inside(nested, value, extent) : value;
}

function inside({ nesting, level }: Nested, value: CtyValue, extent: Extent): CtyValue {
  const one = (element: CtyValue): CtyValue => (element === null ? null : configured(level, element, () => extent));
  if (nesting === "single" || nesting === "group") return one(value);
  if (isList(value)) return value.map(one);
  return isRecord(value) ? recordOf(Object.entries(value).map(([key, element]) => [key, one(element)])) : value;
}

/** True for values that the older kit of providers records for an attribute without a configuration. */
function isEmpty(value: CtyValue): boolean {
  if (value instanceof Dynamic) return value.value === null;
  if (isList(value)) return value.length === 0;
  if (isRecord(value)) return Object.keys(value).length === 0;
  return value === "" || value === false || value === 0;
}

/** Returns the required write-only attributes, whose values no state holds. */
export function requiredWriteOnly(level: Level): readonly string[] {
  return attributesOf(level).flatMap(([name, { writeOnly, required }]) => (writeOnly && required ? name : []));
}
