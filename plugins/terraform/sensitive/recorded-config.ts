/** The configuration of a provider as it is recorded: sealed if there is a key, without its values otherwise. */
import { EngineError, isUnknown, nearest } from "../../../core/base/index.js";
import { isPlainObject } from "../../../core/codec/index.js";
import { isSecret } from "../../secrets/secret.js";
import { attributeOf, type Block, blockOf, holding, namesOf, nestedIn } from "../schema/index.js";
import { sealed } from "./sealed-props.js";

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
 * Masks the values in all texts from now on, also where they are not recorded.
 *
 * @param hasKey whether what is recorded can be sealed
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

/** @throws EngineError `INVALID_PROPS` for what is no object with members, whose values could not be told apart */
export function checkConfig(config: unknown): void {
  if (config === undefined || config === null || isSecret(config) || isUnknown(config) || isMembered(config)) return;
  throw new EngineError("INVALID_PROPS", "The configuration of a provider must be an object with members.");
}

/** Masks the values of a configuration in all texts from now on. */
export function maskConfig({ config, env, show = [] }: ConfigProps): void {
  for (const part of [config, env]) {
    if (!isMembered(part)) continue;
    for (const [name, value] of Object.entries(part)) if (!show.includes(name)) sealed(value, name);
  }
}

/** False for a configuration that is not known yet, or a secret as a whole. */
function isMembered(given: unknown): given is object {
  return typeof given === "object" && given !== null && isPlainObject(given);
}

const holdsSensitive = holding(({ sensitive }) => sensitive === true);

/** @param block of the configuration @throws EngineError `INVALID_OPTION` for an unknown name, or that of something sensitive */
export function refuseShown(show: readonly string[], block: Block, env: object): void {
  const { toProvider } = namesOf(block);
  const known = [...toProvider.keys(), ...Object.keys(env)];
  for (const name of show) {
    if (!known.includes(name)) {
      const near = nearest(name, known);
      const hint = near === undefined ? `Known: ${known.join(", ") || "none"}.` : `Did you mean "${near}"?`;
      throw new EngineError("INVALID_OPTION", `show: the configuration has no "${name}". ${hint}`);
    }
    const provider = toProvider.get(name) ?? "";
    const of = attributeOf(block, provider) ?? blockOf(block, provider);
    const nested = of && nestedIn(of);
    if ((of && "sensitive" in of && of.sensitive) || (nested && holdsSensitive(nested.level)))
      throw new EngineError("INVALID_OPTION", `show: "${name}" is sensitive. Take it out of the list.`);
  }
}
