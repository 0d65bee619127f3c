import {
  type CtyType,
  type CtyValue,
  isEqual,
  isList,
  isNull,
  isRecord,
  memberOf,
  recordOf,
  setOf,
  Unknown,
} from "../cty/index.js";
import {
  attributesOf,
  blocksOf,
  closeBlocks,
  emptyValue,
  impliedType,
  type Level,
  memberIn,
  type Nested,
  nestedIn,
  objectsIn,
  openBlocks,
  typeOfAttribute,
  typeOfBlocks,
} from "./level.js";
import type { Attribute, Block, NestedBlock } from "./schema.js";

/**
 * Returns the new state that is proposed to a provider: configured values, and earlier computed values for the others.
 * Values that were never computed are null; the provider's plan makes them unknown.
 *
 * @param prior null if there is none yet
 */
export function proposedNew(block: Block, prior: CtyValue, config: CtyValue): CtyValue {
  return proposedBlock(block, prior, config);
}

/** Returns the expected result of a data source that cannot be read yet: configured values, and the rest unknown. */
export function proposedData(block: Block, config: CtyValue): CtyValue {
  return proposedBlock(block, new Unknown(), config);
}

function proposedBlock(level: Level, prior: CtyValue, config: CtyValue): CtyValue {
  if (isNull(config) && isNull(prior)) return null;
  const before = isNull(prior) ? emptyValue(level) : prior;
  if (!isRecord(config)) return before;
  const blocks = blocksOf(level).map(
    ([name, nested]) => [name, proposedBlocks(nested, memberIn(before, name), memberOf(config, name))] as const,
  );
  return recordOf([...proposedAttributes(level, before, config), ...blocks]);
}

function proposedBlocks(nested: NestedBlock, prior: CtyValue, config: CtyValue): CtyValue {
  if (config instanceof Unknown) return config;
  const { nesting, block } = nested;
  if (nesting === "group") return proposedBlock(block, prior, config);
  const [before, given] = [openBlocks(nested, prior), openBlocks(nested, config)];
  return closeBlocks(nested, proposedSeveral({ nesting, level: block }, before, given, proposedBlock));
}

function proposedAttributes(level: Level, prior: CtyValue, config: CtyValue): [string, CtyValue][] {
  return attributesOf(level).map(([name, attribute]) => [
    name,
    proposedAttribute(attribute, memberIn(prior, name), memberIn(config, name)),
  ]);
}

function proposedAttribute(attribute: Attribute, prior: CtyValue, config: CtyValue): CtyValue {
  // A value that was configured before, and is not any more, was not computed.
  if (attribute.computed && isNull(config)) return impliesConfig(attribute, prior) ? config : prior;
  if (!attribute.nested || config instanceof Unknown) return config;
  return proposedSeveral({ nesting: attribute.nested.nesting, level: attribute.nested }, prior, config, proposedObject);
}

function proposedObject(level: Level, prior: CtyValue, config: CtyValue): CtyValue {
  return isNull(config) ? config : recordOf(proposedAttributes(level, prior, config));
}

type Propose = (level: Level, prior: CtyValue, config: CtyValue) => CtyValue;

/**
 * Matches elements of lists with prior ones by position, members of maps by key, and elements of sets by equal
 * configuration.
 */
function proposedSeveral({ nesting, level }: Nested, prior: CtyValue, config: CtyValue, propose: Propose): CtyValue {
  if (isNull(config)) return config;
  if (nesting === "single" || nesting === "group") return propose(level, prior, config);
  if (nesting === "set") return isList(config) ? proposedSet(level, prior, config, propose) : config;
  if (isList(config))
    return config.map((element, index) => {
      if (prior instanceof Unknown) return propose(level, prior, element);
      const before = isList(prior) ? prior[index] : undefined;
      return before === undefined ? element : propose(level, before, element);
    });
  if (!isRecord(config)) return config;
  const members = Object.entries(config).map(([key, member]): [string, CtyValue] => {
    const isNew = !isRecord(prior) || !Object.hasOwn(prior, key);
    return [key, isNew ? member : propose(level, memberOf(prior, key), member)];
  });
  return recordOf(members);
}

function proposedSet(level: Level, prior: CtyValue, config: readonly CtyValue[], propose: Propose): CtyValue {
  const left = isList(prior) ? [...prior] : [];
  const proposed = config.map((element) => {
    const at = left.findIndex((before) => isPriorOf(level, before, element));
    const [before = null] = at < 0 ? [] : left.splice(at, 1);
    return propose(level, before, element);
  });
  return setOf(impliedType(level), proposed);
}

/**
 * True if an optional nested attribute must have been configured, because a part of it is never computed.
 */
function impliesConfig(attribute: Attribute, prior: CtyValue): boolean {
  return attribute.optional === true && attribute.nested !== undefined && holdsConfigured(attribute, prior);
}

function holdsConfigured({ nested }: Attribute, value: CtyValue): boolean {
  if (!nested || isNull(value)) return false;
  const objects = objectsIn({ nesting: nested.nesting, level: nested }, value);
  return objects.some(([, object]) =>
    attributesOf(nested).some(([name, inner]) => {
      const member = memberOf(object, name);
      return !isNull(member) && (!inner.computed || holdsConfigured(inner, member));
    }),
  );
}

/**
 * True if an element of a set may result from a configured one: they are equal except for values that are computed and
 * not configured. Sets in it have to be equal, because their elements cannot be matched.
 */
function isPriorOf(level: Level, prior: CtyValue, config: CtyValue): boolean {
  if (isEqual(impliedType(level), prior, config) || isNull(prior)) return true;
  if (isNull(config)) return false;
  return (
    attributesOf(level).every(([name, attribute]) => {
      const [before, given] = [memberOf(prior, name), memberIn(config, name)];
      return isPriorOfAttribute(attribute, before, given);
    }) &&
    blocksOf(level).every(([name, blocks]) => isPriorOfBlocks(blocks, memberOf(prior, name), memberIn(config, name)))
  );
}

function isPriorOfAttribute(attribute: Attribute, prior: CtyValue, config: CtyValue): boolean {
  const type = typeOfAttribute(attribute);
  if (isEqual(type, prior, config)) return true;
  if (isSet(type)) return false;
  const nested = nestedIn(attribute);
  if (nested) return isPriorOfNested(nested, prior, config);
  return attribute.computed === true && isNull(config);
}

function isPriorOfBlocks(blocks: NestedBlock, prior: CtyValue, config: CtyValue): boolean {
  const type = typeOfBlocks(blocks);
  if (isEqual(type, prior, config)) return true;
  if (isSet(type)) return false;
  return isPriorOfNested(
    { nesting: blocks.nesting, level: blocks.block },
    openBlocks(blocks, prior),
    openBlocks(blocks, config),
  );
}

function isSet(type: CtyType): boolean {
  return typeof type !== "string" && type[0] === "set";
}

/** Each prior object must still exist. Others may be new. */
function isPriorOfNested(nested: Nested, prior: CtyValue, config: CtyValue): boolean {
  const { nesting, level } = nested;
  if (nesting === "single" || nesting === "group") return isPriorOf(level, prior, config);
  if (isList(prior)) return prior.every((before, index) => isPriorOfElement(level, before, config, index));
  if (!isRecord(prior)) return true;
  return Object.entries(prior).every(([key, before]) => isPriorOfElement(level, before, config, key));
}

function isPriorOfElement(level: Level, prior: CtyValue, config: CtyValue, key: string | number): boolean {
  if (config instanceof Unknown) return isPriorOf(level, prior, config);
  const given = isList(config) ? config[Number(key)] : isRecord(config) ? ownMember(config, String(key)) : undefined;
  return given !== undefined && isPriorOf(level, prior, given);
}

function ownMember(value: { readonly [name: string]: CtyValue }, key: string): CtyValue | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
