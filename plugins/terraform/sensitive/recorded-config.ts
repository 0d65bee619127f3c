/** Recorded form of a provider's configuration: sealed if there is a key, otherwise without its values. */

import { isDeepStrictEqual, types } from "node:util";
import { EngineError, isUnknown, nearest, unknownValue } from "../../../core/base/index.js";
import { isPlainObject } from "../../../core/codec/index.js";
import type { StandardSchema } from "../../../core/contract/index.js";
import { isSecret, Secret } from "../../secrets/secret.js";
import {
  type Attribute,
  attributeOf,
  type Block,
  blockOf,
  holding,
  type Level,
  namesOf,
  nestedIn,
} from "../schema/index.js";

/** The props of the configuration of a provider. */
export interface ConfigProps {
  readonly config: unknown;
  /** Added to the environment of its process. */
  readonly env?: Readonly<Record<string, unknown>>;
  /** Names of harmless values. */
  readonly show?: readonly string[];
  /** Names of values that are not recorded. */
  readonly withheld?: readonly string[];
}

/**
 * Returns the configuration to record. Also masks its values in all texts from now on, even those that are not
 * recorded.
 *
 * @param hasKey true if there is a key to seal the record
 */
export function recordedConfig<Props extends ConfigProps>(props: Props, hasKey: boolean): Props {
  const { config, env, show = [] } = props;
  const withheld: string[] = [];
  const part = (given: unknown): unknown => {
    if (!isMembered(given)) return given;
    const kept = Object.entries(given).filter(([name, value]) => {
      const isKept = hasKey || value === undefined || value === null || show.includes(name);
      if (!isKept) withheld.push(name);
      return isKept;
    });
    return Object.fromEntries(kept.map(([name, value]) => [name, show.includes(name) ? value : sealed(value, name)]));
  };
  if (!hasKey) maskConfig(props);
  const recorded = { ...props, config: part(config), ...(env && { env: part(env) }) };
  return withheld.length === 0 ? recorded : { ...recorded, withheld: withheld.sort() };
}

/** @throws EngineError `INVALID_PROPS` if it is not a plain object, whose values can be recorded one by one */
export function checkConfig(config: unknown): void {
  if (config === undefined || config === null || isSecret(config) || isUnknown(config) || isMembered(config)) return;
  throw new EngineError("INVALID_PROPS", "The configuration of a provider must be a plain object.");
}

/** Masks the values of a configuration in all texts from now on. */
export function maskConfig({ config, env, show = [] }: ConfigProps): void {
  for (const part of [config, env]) {
    if (!isMembered(part)) continue;
    for (const [name, value] of Object.entries(part)) if (!show.includes(name)) sealed(value, name);
  }
}

/** False for an unknown configuration, or one that is a secret as a whole. */
function isMembered(given: unknown): given is object {
  return typeof given === "object" && given !== null && isPlainObject(given);
}

const holdsSensitive = holding(({ sensitive }) => sensitive === true);

/** @param block of the configuration @throws EngineError `INVALID_OPTION` for an unknown or a sensitive name */
export function refuseShown(show: readonly string[], block: Block, env: object): void {
  const { toProvider } = namesOf(block);
  const known = [...toProvider.keys(), ...Object.keys(env)];
  for (const name of show) {
    if (!known.includes(name)) {
      const near = nearest(name, known);
      const hint = near === undefined ? `Known names: ${known.join(", ") || "none"}.` : `Did you mean "${near}"?`;
      throw new EngineError(
        "INVALID_OPTION",
        `The option "show" names "${name}", which is neither in the provider's configuration nor in { env }. ${hint}`,
      );
    }
    const provider = toProvider.get(name) ?? "";
    const of = attributeOf(block, provider) ?? blockOf(block, provider);
    const nested = of && nestedIn(of);
    if ((of && "sensitive" in of && of.sensitive) || (nested && holdsSensitive(nested.level)))
      throw new EngineError(
        "INVALID_OPTION",
        `The option "show" names "${name}", which is sensitive. Remove this name from "show".`,
      );
  }
}

/** Returns a found output without differences that are not drift: a secret whose value is recorded in the clear. */
export function asRecorded(found: unknown, recorded: unknown): unknown {
  if (isSecret(found)) return isDeepStrictEqual(found.unencrypted, recorded) ? recorded : found;
  if (Array.isArray(found) && Array.isArray(recorded)) return found.map((one, at) => asRecorded(one, recorded[at]));
  if (!isMembers(found) || !isMembers(recorded)) return found;
  const members = Object.entries(found).map(([name, one]) => {
    return [name, Object.hasOwn(recorded, name) ? asRecorded(one, recorded[name]) : one] as const;
  });
  return Object.fromEntries(members);
}

function isMembers(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && isPlainObject(value);
}

/** A write-only argument is still among the props if it was in a promised block and could not be separated. */
const isMarked = ({ sensitive, writeOnly }: Attribute): boolean => sensitive === true || writeOnly === true;

const holdsMarked = holding(isMarked);

/** Returns a `schema` for a type's definition that seals its resolved props; empty if the type has nothing to seal. */
export function sealing<Props>(level: Level | undefined): { readonly schema?: StandardSchema<Props> } {
  if (!level || !holdsMarked(level)) return {};
  return schemaThat((props) => sealedProps(level, props));
}

/** Returns a `schema` for a type's definition. @param turn converts declared props to recorded ones */
export function schemaThat<Props>(turn: (props: unknown) => unknown): { readonly schema: StandardSchema<Props> } {
  const validate = (props: unknown) => ({ value: Object(turn(props)) });
  return { schema: { "~standard": { version: 1, vendor: "scope-engine", validate } } };
}

/** Makes marked props secrets. Secrets, and parts that the schema does not know, stay as they are. */
export function sealedProps(level: Level, props: unknown): unknown {
  if (!holdsMarked(level)) return props;
  const { toProvider } = namesOf(level);
  return mapMembers(props, (member, program) => {
    const name = toProvider.get(program);
    const attribute = name === undefined ? undefined : attributeOf(level, name);
    if (attribute && isMarked(attribute)) return sealed(member, program);
    const of = attribute ?? (name === undefined ? undefined : blockOf(level, name));
    const nested = of && nestedIn(of);
    if (!nested) return member;
    if (nested.nesting !== "map") return mapElements(member, (element) => sealedProps(nested.level, element));
    return mapMembers(member, (element) => sealedProps(nested.level, element));
  });
}

/** Returns a value as a secret. A partly unknown value becomes unknown, because a secret would hide that. */
export function sealed(value: unknown, name: string): unknown {
  if (value === undefined || value === null || isSecret(value)) return value;
  return holdsUnknown(value) ? unknownValue(name) : new Secret(value, name);
}

export function holdsUnknown(value: unknown): boolean {
  if (isUnknown(value)) return true;
  if (typeof value !== "object" || value === null) return false;
  const members = types.isMap(value) ? value.values() : types.isSet(value) ? value : Object.values(value);
  return [...members].some(holdsUnknown);
}

/** Converts the elements of an array or a set, else the value itself. */
function mapElements(value: unknown, turn: (element: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(turn);
  return types.isSet(value) ? new Set([...value].map(turn)) : turn(value);
}

function mapMembers(value: unknown, turn: (member: unknown, key: string) => unknown): unknown {
  if (isUnknown(value) || typeof value !== "object" || value === null) return value;
  if (types.isMap(value)) return new Map([...value].map(([key, member]) => [key, turn(member, String(key))]));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, turn(member, key)]));
}
