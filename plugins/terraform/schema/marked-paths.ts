/** Finds and removes write-only values; masks secrets that a provider has transformed. */

import { holdsKnownSecret, mask } from "../../secrets/redactor.js";
import {
  type CtyValue,
  Dynamic,
  isList,
  isNull,
  isRecord,
  memberOf,
  type Path,
  recordOf,
  setOf,
  Unknown,
} from "../cty/index.js";
import {
  attributesOf,
  blocksOf,
  closeBlocks,
  holding,
  impliedType,
  type Level,
  mapObjects,
  type Nested,
  nestedIn,
  objectsIn,
  openBlocks,
} from "./level.js";
import type { Attribute, Block } from "./schema.js";

const isWriteOnly = ({ writeOnly }: Attribute): boolean => writeOnly === true;

const holdsWriteOnly = holding(isWriteOnly);

/**
 * Returns the paths of write-only parts in a value. A provider must not return them, and they are never recorded.
 * Unknown blocks and attributes that may hold write-only parts count as a whole.
 */
export function writeOnlyPaths(block: Block, value: CtyValue): readonly Path[] {
  return holdsWriteOnly(block) ? pathsIn(block, value, []) : [];
}

/** Returns the value with null for write-only parts. */
export function withoutWriteOnly(block: Block, value: CtyValue): CtyValue {
  return holdsWriteOnly(block) ? withoutLevel(block, value) : value;
}

function pathsIn(level: Level, value: CtyValue, path: Path): readonly Path[] {
  const attributes = attributesOf(level).flatMap(([name, attribute]) => {
    const [member, at] = [memberOf(value, name), [...path, name]];
    if (isNull(member)) return [];
    if (isWriteOnly(attribute)) return [at];
    const nested = nestedIn(attribute);
    return nested ? pathsInNested(nested, member, at) : [];
  });
  const blocks = blocksOf(level).flatMap(([name, blocks]) => {
    const nested = { nesting: blocks.nesting, level: blocks.block };
    return pathsInNested(nested, openBlocks(blocks, memberOf(value, name)), [...path, name]);
  });
  return [...attributes, ...blocks];
}

function pathsInNested(nested: Nested, value: CtyValue, path: Path): readonly Path[] {
  if (!holdsWriteOnly(nested.level)) return [];
  return objectsIn(nested, value).flatMap(([steps, object]) => {
    const at = [...path, ...steps];
    return object instanceof Unknown ? [at] : pathsIn(nested.level, object, at);
  });
}

function withoutLevel(level: Level, value: CtyValue): CtyValue {
  if (isNull(value) || value instanceof Unknown) return value;
  const attributes = attributesOf(level).map(([name, attribute]): [string, CtyValue] => {
    const nested = nestedIn(attribute);
    const member = memberOf(value, name);
    if (isWriteOnly(attribute)) return [name, null];
    return [name, nested ? withoutNested(nested, member) : member];
  });
  const blocks = blocksOf(level).map(([name, blocks]): [string, CtyValue] => {
    const nested = { nesting: blocks.nesting, level: blocks.block };
    return [name, closeBlocks(blocks, withoutNested(nested, openBlocks(blocks, memberOf(value, name))))];
  });
  return recordOf([...attributes, ...blocks]);
}

function withoutNested(nested: Nested, value: CtyValue): CtyValue {
  if (isNull(value) || value instanceof Unknown) return value;
  const without = mapObjects(nested, value, (object) => withoutLevel(nested.level, object));
  return nested.nesting === "set" && isList(without) ? setOf(impliedType(nested.level), without) : without;
}

/**
 * Masks strings that a provider made from a known secret. @param given with secrets @param made by the provider at the
 * same places
 */
export function maskForms(given: CtyValue, made: CtyValue): void {
  if (given instanceof Dynamic) return maskForms(given.value, made);
  if (made instanceof Dynamic) return maskForms(given, made.value);
  if (typeof given === "string" && typeof made === "string") {
    if (made !== given && holdsKnownSecret(given)) mask(made);
  } else if (isList(given) && isList(made)) maskFormsInList(given, made);
  else if (isRecord(given) && isRecord(made)) {
    for (const name of Object.keys(given)) maskForms(memberOf(given, name), memberOf(made, name));
  }
}

/** Elements of a set may be in another order, so each string that was not given may be made from the secret. */
function maskFormsInList(given: readonly CtyValue[], made: readonly CtyValue[]): void {
  const texts = given.filter((one) => typeof one === "string");
  if (texts.length === 0) for (const [index, one] of given.entries()) maskForms(one, made[index] ?? null);
  else if (texts.some(holdsKnownSecret)) {
    for (const one of made) if (typeof one === "string" && !texts.includes(one)) mask(one);
  }
}
