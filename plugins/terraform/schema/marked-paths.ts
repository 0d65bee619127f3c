/** Where values are that are for writing only. */

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
 * Paths of what is in a value though it is for writing only: a provider never gives it back, and it is recorded nowhere. Unknown blocks
 * and attributes that may hold any are so as a whole.
 */
export function writeOnlyPaths(block: Block, value: CtyValue): readonly Path[] {
  return pathsIn(block, value, []);
}

/** The value with null for what is for writing only. */
export function withoutWriteOnly(block: Block, value: CtyValue): CtyValue {
  return holdsWriteOnly(block) ? withoutLevel(block, value) : value;
}

function pathsIn(level: Level, value: CtyValue, path: Path): readonly Path[] {
  const attributes = Object.entries(level.attributes).flatMap(([name, attribute]) => {
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
  const attributes = Object.entries(level.attributes).map(([name, attribute]): [string, CtyValue] => {
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

/** @param given with known secrets @param made by the provider at the same places */
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

/** Elements of a set may be in another order: each text that was not given may be made of the secret. */
function maskFormsInList(given: readonly CtyValue[], made: readonly CtyValue[]): void {
  const texts = given.filter((one) => typeof one === "string");
  if (texts.length === 0) for (const [index, one] of given.entries()) maskForms(one, made[index] ?? null);
  else if (texts.some(holdsKnownSecret)) {
    for (const one of made) if (typeof one === "string" && !texts.includes(one)) mask(one);
  }
}
