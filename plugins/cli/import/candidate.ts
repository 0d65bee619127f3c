/** Guesses the configuration that a recorded value was made from. Pure. */
import { type CtyValue, isList, isRecord, memberOf, recordOf } from "../../terraform/cty/index.js";
import {
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
import { isBlockLike, isEmpty, type Member, mayBeChosen, type OwnTexts, ownTexts } from "./choices.js";

/** Members of the outermost level. */
export interface Taken {
  /** Those that are taken with all their values. */
  readonly whole: ReadonlySet<string>;
  /** Those of {@link Choices.chosen} that are taken although the provider could compute them. */
  readonly chosen: ReadonlySet<string>;
}

export const NOTHING_TAKEN: Taken = { whole: new Set(), chosen: new Set() };

/**
 * Returns the configuration with the members that a person writes: required ones, and optional ones with a value that
 * says something. Members that the provider may compute are left to it, unless they are taken.
 */
export function candidate(level: Level, value: CtyValue, { whole, chosen }: Taken): CtyValue {
  const own = ownTexts(level, value);
  return configured(level, value, {
    own,
    extentOf: (name) => (whole.has(name) ? "whole" : chosen.has(name) ? "chosen" : "lean"),
  });
}

/** `inner`: in a chosen member. */
type Extent = "lean" | "chosen" | "inner" | "whole";

const innerOf = (extent: Extent): Extent => (extent === "chosen" ? "inner" : extent);

interface Extents {
  readonly own: OwnTexts;
  extentOf(name: string): Extent;
}

function configured(level: Level, value: CtyValue, { own, extentOf }: Extents): CtyValue {
  const attributes = attributesOf(level).map(([name, attribute]): [string, CtyValue] => {
    return [name, attributeIn({ name, attribute, level, value, own }, extentOf(name))];
  });
  const blocks = blocksOf(level).map(([name, block]): [string, CtyValue] => {
    const extents = { own, extentOf: () => innerOf(extentOf(name)) };
    const opened = openBlocks(block, memberOf(value, name));
    if (opened === null || opened === undefined) return [name, emptyBlocks(block)];
    return [name, closeBlocks(block, inside({ nesting: block.nesting, level: block.block }, opened, extents))];
  });
  return recordOf([...attributes, ...blocks]);
}

function attributeIn(member: Member, extent: Extent): CtyValue {
  const { name, attribute, own } = member;
  const value = memberOf(member.value, name);
  if (value === null || value === undefined || isComputedOnly(attribute) || attribute.writeOnly) return null;
  if (!attribute.required) {
    if (attribute.computed && (extent === "lean" || name === "id")) return null;
    if (attribute.computed && extent === "inner" && !mayBeChosen(member)) return null;
    if (extent !== "whole" && !attribute.computed && isEmpty(value)) return null;
  }
  const nested = nestedIn(attribute);
  if (nested) return inside(nested, value, { own, extentOf: () => innerOf(extent) });
  return extent !== "whole" && isBlockLike(attribute) && isList(value) ? value.map(withoutEmpty) : value;
}

/** Drops what the older kit records for members that have no configuration. Zeros may be required. */
function withoutEmpty(element: CtyValue): CtyValue {
  if (!isRecord(element)) return element;
  const members = Object.entries(element);
  return recordOf(members.map(([name, value]) => [name, value !== 0 && isEmpty(value) ? null : value]));
}

function inside({ nesting, level }: Nested, value: CtyValue, extents: Extents): CtyValue {
  const one = (element: CtyValue): CtyValue => (element === null ? null : configured(level, element, extents));
  if (nesting === "single" || nesting === "group") return one(value);
  if (isList(value)) return value.map(one);
  return isRecord(value) ? recordOf(Object.entries(value).map(([key, element]) => [key, one(element)])) : value;
}

/** Returns the required write-only attributes, whose values no state holds. */
export function requiredWriteOnly(level: Level): readonly string[] {
  return attributesOf(level).flatMap(([name, { writeOnly, required }]) => (writeOnly && required ? name : []));
}
