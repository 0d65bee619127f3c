import { isUnknown } from "../../../core/base/index.js";
import { counted } from "../../internal/text/counted.js";
import { type CtyValue, isList, isRecord, recordOf, setOf, Unknown } from "../cty/index.js";
import {
  complain,
  elementsOf,
  givenValue,
  isObject,
  membersOf,
  type Place,
  type PropProblem,
  placeIn,
  refuseUnknownNames,
} from "./given-value.js";
import {
  attributesOf,
  blocksOf,
  closeBlocks,
  emptyBlocks,
  impliedType,
  isComputedOnly,
  type Level,
  type Nested,
  typeOfAttribute,
} from "./level.js";
import { namesOf } from "./names.js";
import type { Attribute, Block, NestedBlock } from "./schema.js";
import { type OwnTypes, withOwnTypes } from "./schema.js";

export interface Config {
  /** Value of the block's implied type. */
  readonly value: CtyValue;
  /** Problems of the props. With any, the value must not be used. */
  readonly problems: readonly PropProblem[];
}

/**
 * Converts props of a program to a configuration for the provider. Absent attributes are null, absent blocks empty. A
 * repeatable block may be given as one object.
 */
export function configOf(block: Block, props: unknown): Config {
  const problems: PropProblem[] = [];
  return { value: givenLevel(block, props ?? {}, { path: [], problems }), problems };
}

/**
 * Converts an output back to a value of the provider; the inverse of {@link propsOf}.
 *
 * @param types result of `ownTypes` for the value that the output was made from
 */
export function stateOf(block: Block, output: unknown, types: OwnTypes = {}): CtyValue {
  const value = givenLevel(block, output ?? {}, { path: [], problems: [], isRecorded: true });
  return withOwnTypes(block, value, types);
}

function givenLevel(level: Level, given: unknown, place: Place): CtyValue {
  if (isUnknown(given)) return new Unknown();
  if (!isObject(given)) return complain(place, `must be an object, but is ${kindOf(given)}.`);
  const names = namesOf(level);
  const members = new Map(membersOf(given));
  refuseUnknownNames(names, [...members.keys()], place);
  const fields = attributesOf(level).map(([name, attribute]): [string, CtyValue] => {
    const program = names.toProgram.get(name) ?? name;
    const member = members.get(program);
    const isAbsent = (member === undefined || member === null) && !attribute.required;
    return [name, isAbsent ? null : givenAttribute(attribute, member, placeIn(place, program))];
  });
  const blocks = blocksOf(level).map(([name, nested]): [string, CtyValue] => {
    const program = names.toProgram.get(name) ?? name;
    return [name, givenBlocks(nested, members.get(program), placeIn(place, program))];
  });
  return recordOf([...fields, ...blocks]);
}

function kindOf(given: unknown): string {
  if (elementsOf(given)) return "a list";
  if (given === null) return "null";
  return typeof given === "object" ? "an object" : `a ${typeof given}`;
}

function givenAttribute(attribute: Attribute, given: unknown, place: Place): CtyValue {
  if (given === undefined || given === null) return attribute.required ? complain(place, "is missing.") : null;
  if (isComputedOnly(attribute) && !place.isRecorded)
    return complain(place, "is set by the provider. Remove it from the props.");
  if (isUnknown(given)) return new Unknown();
  if (!attribute.nested) return givenValue(typeOfAttribute(attribute), given, place);
  const { nesting } = attribute.nested;
  if (isSeveral(nesting) && !elementsOf(given)) return complain(place, `must be a list, but is ${kindOf(given)}.`);
  return givenNested({ nesting, level: attribute.nested }, given, place);
}

function isSeveral(nesting: Nested["nesting"]): boolean {
  return nesting === "list" || nesting === "set";
}

function givenNested({ nesting, level }: Nested, given: unknown, place: Place): CtyValue {
  switch (nesting) {
    case "single":
    case "group":
      return givenLevel(level, given, place);
    case "list":
    case "set": {
      const elements = elementsOf(given) ?? [given];
      const values = elements.map((element, index) => givenLevel(level, element, placeIn(place, index)));
      return nesting === "set" ? setOf(impliedType(level), values) : values;
    }
    case "map":
      if (!isObject(given)) return complain(place, `must be an object, but is ${kindOf(given)}.`);
      return recordOf(membersOf(given).map(([key, member]) => [key, givenLevel(level, member, placeIn(place, key))]));
  }
}

function givenBlocks(nested: NestedBlock, given: unknown, place: Place): CtyValue {
  if (isUnknown(given)) return new Unknown();
  if (given === undefined || given === null) {
    if (nested.minItems > 0 && nested.nesting !== "group") complain(place, "is missing.");
    return emptyBlocks(nested);
  }
  const { nesting, block, minItems, maxItems } = nested;
  const value = givenNested({ nesting, level: block }, given, place);
  const count = isList(value)
    ? value.length
    : nesting === "map" && isRecord(value)
      ? Object.keys(value).length
      : undefined;
  if (count !== undefined && count < minItems)
    complain(place, `must have at least ${counted(minItems, "block")}, but has ${count || "none"}.`);
  if (count !== undefined && maxItems > 0 && count > maxItems)
    complain(place, `must have at most ${counted(maxItems, "block")}, but has ${count}.`);
  return closeBlocks(nested, value);
}
