import {
  type CtyType,
  type CtyValue,
  Dynamic,
  isEqual,
  isKnown,
  isList,
  isNull,
  isRecord,
  keyOf,
  memberOf,
  type Part,
  type Path,
  partsOf,
  sameType,
  touches,
} from "../cty/index.js";
import {
  attributesOf,
  blocksOf,
  type Level,
  type Nested,
  nestedIn,
  objectsIn,
  openBlocks,
  typeOfAttribute,
  typeOfBlocks,
} from "./level.js";
import { type ProgramPath, programPath } from "./names.js";
import { nestedForProgram, propsOf, valueForProgram } from "./props.js";
import type { Attribute, Block, NestedBlock } from "./schema.js";

/** A value that changes, in the names of the program. */
export interface Difference {
  readonly path: ProgramPath;
  /** Undefined if there was none. */
  readonly before: unknown;
  /** Undefined if there will be none, or it is unknown. */
  readonly after: unknown;
  readonly isKnown: boolean;
  readonly isSensitive: boolean;
  /** True if the change forces a replacement of the resource. */
  readonly forcesReplace: boolean;
}

/**
 * Returns the differences between two states, as deep as possible: elements of lists by position, members of maps by
 * key. Sets, new values and unknown values differ as a whole. Empty if there is nothing to do.
 *
 * @param requiresReplace paths of a provider's plan; a path without a difference has no effect
 */
export function differences(
  block: Block,
  before: CtyValue,
  after: CtyValue,
  requiresReplace: readonly Path[] = [],
): readonly Difference[] {
  return inLevel(block, before, after, []).map((found) => ({
    path: programPath(block, found.path),
    before: found.show(found.before) ?? undefined,
    after: found.show(found.after) ?? undefined,
    isKnown: isKnown(found.after),
    isSensitive: found.isSensitive,
    forcesReplace: requiresReplace.some((path) => touches(path, found.path)),
  }));
}

interface Found {
  readonly path: Path;
  readonly before: CtyValue;
  readonly after: CtyValue;
  readonly isSensitive: boolean;
  readonly show: (value: CtyValue) => unknown;
}

function inLevel(level: Level, before: CtyValue, after: CtyValue, path: Path): readonly Found[] {
  const found: Found[] = [];
  for (const [name, attribute] of attributesOf(level)) {
    const [was, is] = [memberOf(before, name), memberOf(after, name)];
    if (!isEqual(typeOfAttribute(attribute), was, is)) found.push(...inAttribute(attribute, was, is, [...path, name]));
  }
  for (const [name, nested] of blocksOf(level)) {
    const [was, is] = [memberOf(before, name), memberOf(after, name)];
    if (!isEqual(typeOfBlocks(nested), was, is)) found.push(...inBlocks(nested, was, is, [...path, name]));
  }
  return found;
}

function inAttribute(attribute: Attribute, before: CtyValue, after: CtyValue, path: Path): readonly Found[] {
  const nested = nestedIn(attribute);
  const type = typeOfAttribute(attribute);
  const found = nested ? inNested(nested, before, after, path) : inValue(type, before, after, path);
  return attribute.sensitive ? found.map((one) => ({ ...one, isSensitive: true })) : found;
}

function inBlocks(blocks: NestedBlock, before: CtyValue, after: CtyValue, path: Path): readonly Found[] {
  const nested = { nesting: blocks.nesting, level: blocks.block };
  return inNested(nested, openBlocks(blocks, before), openBlocks(blocks, after), path);
}

function inNested(nested: Nested, before: CtyValue, after: CtyValue, path: Path): readonly Found[] {
  const { nesting, level } = nested;
  const isMany = nesting !== "single" && nesting !== "group";
  const isWhole = nesting === "set" || !isContainer(before) || !isContainer(after);
  if (isWhole) return [differing(path, before, after, (value) => nestedForProgram(nested, value))];
  if (!isMany) return inLevel(level, before, after, path);
  const show = (value: CtyValue): unknown => propsOf(level, value);
  return matched(objectParts(nested, before), objectParts(nested, after)).flatMap(
    ({ step, was = null, is = null, isNew }) => {
      const at = [...path, step];
      if (isContainer(was) && isContainer(is)) return inLevel(level, was, is, at);
      return isNew || isNull(was) !== isNull(is) || !isKnown(is) ? [differing(at, was, is, show)] : [];
    },
  );
}

function differing(path: Path, before: CtyValue, after: CtyValue, show: Found["show"]): Found {
  return { path, before, after, isSensitive: false, show };
}

function isContainer(value: CtyValue): boolean {
  return isList(value) || isRecord(value);
}

function objectParts(nested: Nested, value: CtyValue): readonly Pick<Part, "step" | "value">[] {
  return objectsIn(nested, value).flatMap(([[step], object]) => (step === undefined ? [] : { step, value: object }));
}

interface Match {
  readonly step: Part["step"];
  readonly was: CtyValue | undefined;
  readonly is: CtyValue | undefined;
  /** True if only one of both has it. */
  readonly isNew: boolean;
}

/** Matches parts by key or position. */
function matched(
  before: readonly Pick<Part, "step" | "value">[],
  after: readonly Pick<Part, "step" | "value">[],
): Match[] {
  const was = new Map(before.map(({ step, value }) => [keyOf(step), value]));
  const is = new Map(after.map(({ step, value }) => [keyOf(step), value]));
  const all = new Map([...before, ...after].map(({ step }) => [keyOf(step), step]));
  return [...all].map(([key, step]) => ({
    step,
    was: was.get(key),
    is: is.get(key),
    isNew: was.has(key) !== is.has(key),
  }));
}

function inValue(type: CtyType, before: CtyValue, after: CtyValue, path: Path): readonly Found[] {
  if (isEqual(type, before, after)) return [];
  if (before instanceof Dynamic && after instanceof Dynamic && sameType(before.type, after.type))
    return inValue(before.type, before.value, after.value, path);
  const isWhole = typeof type === "string" || type[0] === "set" || !isContainer(before) || !isContainer(after);
  if (isWhole) return [differing(path, before, after, (value) => valueForProgram(type, value))];
  const parts = [partsOf(type, before), partsOf(type, after)] as const;
  const types = new Map([...parts[0], ...parts[1]].map((part) => [keyOf(part.step), part.type]));
  return matched(...parts).flatMap(({ step, was = null, is = null, isNew }) => {
    const [of, at] = [types.get(keyOf(step)) ?? "dynamic", [...path, step]];
    return isNew ? [differing(at, was, is, (value) => valueForProgram(of, value))] : inValue(of, was, is, at);
  });
}
