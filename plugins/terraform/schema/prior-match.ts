/** Whether what was computed before has come of a configuration. */
import { type CtyType, type CtyValue, isEqual, isList, isNull, isRecord, memberOf, Unknown } from "../cty/index.js";
import { impliedType, typeOfAttribute, typeOfBlocks } from "./implied-type.js";
import { blocksOf, type Level, type Nested, nestedIn } from "./level.js";
import { memberIn, objectsIn, openBlocks } from "./nested-values.js";
import type { Attribute, NestedBlock } from "./schema.js";

/**
 * True where a nested attribute that may be configured or computed must have been configured: something in it is never computed.
 */
export function impliesConfig(attribute: Attribute, prior: CtyValue): boolean {
  return attribute.optional === true && attribute.nested !== undefined && holdsConfigured(attribute, prior);
}

function holdsConfigured({ nested }: Attribute, value: CtyValue): boolean {
  if (!nested || isNull(value)) return false;
  const objects = objectsIn({ nesting: nested.nesting, level: nested }, value);
  return objects.some(([, object]) =>
    Object.entries(nested.attributes).some(([name, inner]) => {
      const member = memberOf(object, name);
      return !isNull(member) && (!inner.computed || holdsConfigured(inner, member));
    }),
  );
}

/**
 * True where an element of a set may have come of a configured one: they are equal but for what is computed and not configured.
 * Sets within it have to be equal as they are, since there is no telling which of their elements is which.
 */
export function isPriorOf(level: Level, prior: CtyValue, config: CtyValue): boolean {
  if (isEqual(impliedType(level), prior, config) || isNull(prior)) return true;
  if (isNull(config)) return false;
  return (
    Object.entries(level.attributes).every(([name, attribute]) => {
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

/** Each object that was there has to be there still; others may have been added. */
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
