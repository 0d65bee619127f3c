/** Finds values that a user chose, among those that a provider may compute as well. A state does not say it. Pure. */
import {
  type CtyType,
  type CtyValue,
  Dynamic,
  elementType,
  hasDynamic,
  isList,
  isRecord,
  memberOf,
} from "../../terraform/cty/index.js";
import {
  type Attribute,
  blocksOf,
  isComputedOnly,
  type Level,
  META_ARGUMENTS,
  type Nested,
  nestedIn,
  openBlocks,
  typeOfAttribute,
} from "../../terraform/schema/index.js";

/** Members of the outermost level that are optional and computed. */
export interface Choices {
  /** Those with a value that a user may have chosen. */
  readonly chosen: readonly string[];
  /** Those whose value looks like the provider's own. */
  readonly left: readonly string[];
}

/**
 * Returns the choices in a resource or data source.
 *
 * @param configured names of all configured members, if the source records them
 */
export function choicesOf(level: Level, value: CtyValue, configured?: ReadonlySet<string>): Choices {
  const { chosen, left } = choicesIn(level, value, configured);
  const isMeta = (name: string): boolean => META_ARGUMENTS.has(name);
  return { chosen: chosen.filter((name) => !isMeta(name)), left: [...left, ...chosen.filter(isMeta)] };
}

function choicesIn(level: Level, value: CtyValue, configured?: ReadonlySet<string>): Choices {
  const own = ownTexts(level, value);
  const choices: { readonly chosen: string[]; readonly left: string[] } = { chosen: [], left: [] };
  for (const [name, attribute] of Object.entries(level.attributes)) {
    const member = { name, attribute, level, value, own };
    const nested = isComputedOnly(attribute) ? undefined : nestedIn(attribute);
    // No user configures a superset.
    if (isSuperset(name, level)) continue;
    if (isChoice(member)) {
      const isChosen = configured ? configured.has(name) : mayBeChosen(member);
      choices[isChosen ? "chosen" : "left"].push(name);
    } else if (nested && holdsChoice(nested, memberOf(value, name))) choices.chosen.push(name);
  }
  for (const [name, block] of blocksOf(level)) {
    const nested = { nesting: block.nesting, level: block.block };
    if (holdsChoice(nested, openBlocks(block, memberOf(value, name)))) choices.chosen.push(name);
  }
  return configured ? { ...choices, chosen: choices.chosen.filter((name) => configured.has(name)) } : choices;
}

/** A member of a level, and the value of the level. */
export interface Member {
  readonly name: string;
  readonly attribute: Attribute;
  readonly level: Level;
  readonly value: CtyValue;
  readonly own: OwnTexts;
}

/** Texts that only this resource has. */
export interface OwnTexts {
  readonly id?: string;
  /** True for an id that the provider made, so that a text that contains it is the provider's, too. */
  readonly isMade: boolean;
}

export function ownTexts(level: Level, value: CtyValue): OwnTexts {
  const id = memberOf(value, "id");
  if (typeof id !== "string" || id === "") return { isMade: false };
  const isGiven = Object.keys(level.attributes).some((name) => name !== "id" && memberOf(value, name) === id);
  return { id, isMade: !isGiven && id.length >= LONG_ID && /\d/.test(id) };
}

const LONG_ID = 6;

function isChoice({ name, attribute, value }: Member): boolean {
  const own = memberOf(value, name);
  if (attribute.required || !attribute.computed || isComputedOnly(attribute) || attribute.writeOnly) return false;
  return name !== "id" && own !== undefined && own !== null && (own === false || !isEmpty(own));
}

/** True for a value that a user may have chosen: not a secret, an address or an id that a provider makes. */
export function mayBeChosen(member: Member): boolean {
  const { name, attribute, level, value, own } = member;
  if (!isChoice(member) || attribute.sensitive || attribute.deprecated) return false;
  const text = memberOf(value, name);
  // The array of a program has another type than a list that a dynamic value may be.
  if (OWN_NAMES.has(name) || isSuperset(name, level) || hasDynamic(typeOfAttribute(attribute))) return false;
  if (typeof text !== "string") return true;
  if (text === own.id) return !/(?:^|_)(?:id|arn|urn|self_link)$/.test(name);
  if (MADE.some((form) => form.test(text))) return false;
  // A provider completes a prefix that a user chose.
  const prefix = memberOf(value, `${name}_prefix`);
  if (typeof prefix === "string" && prefix !== "" && text.startsWith(prefix)) return false;
  return !(own.isMade && own.id !== undefined && text.includes(own.id));
}

const OWN_NAMES: ReadonlySet<string> = new Set(["arn", "urn", "self_link", "uid", "etag", "fingerprint"]);

/** Addresses of hosts and network cards, and times. */
const MADE: readonly RegExp[] = [
  /^(?:\d{1,3}\.){3}\d{1,3}$/,
  /^[\da-f]{0,4}(?::[\da-f]{0,4}){2,7}$/i,
  /^[\da-f]{2}(?:[:-][\da-f]{2}){5}$/i,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d/,
];

/** True for members such as `tags_all`, which hold those of `tags` and more. */
function isSuperset(name: string, { attributes }: Level): boolean {
  return name.endsWith("_all") && Object.hasOwn(attributes, name.slice(0, -"_all".length));
}

/** True if an object of nested blocks or attributes has a member that may be chosen. */
function holdsChoice({ nesting, level }: Nested, value: CtyValue | undefined): boolean {
  const isOne = nesting === "single" || nesting === "group";
  return (isOne ? [value ?? null] : elementsIn(value)).some((one) => choicesIn(level, one).chosen.length > 0);
}

function elementsIn(value: CtyValue = null): readonly CtyValue[] {
  if (isList(value)) return value;
  return isRecord(value) ? Object.values(value) : [];
}

/** True for an attribute that configurations write as blocks, whose members may be absent. */
export function isBlockLike({ optional, computed, type }: Attribute): boolean {
  return Boolean(optional && computed) && isListOfObjects(type);
}

function isListOfObjects(type: CtyType): boolean {
  if (typeof type === "string" || (type[0] !== "list" && type[0] !== "set")) return false;
  const element = elementType(type);
  return typeof element !== "string" && element[0] === "object";
}

/** True for values that the older kit of providers records for an attribute without a configuration. */
export function isEmpty(value: CtyValue): boolean {
  if (value instanceof Dynamic) return value.value === null;
  if (isList(value)) return value.length === 0;
  if (isRecord(value)) return Object.keys(value).length === 0;
  return value === "" || value === false || value === 0;
}
