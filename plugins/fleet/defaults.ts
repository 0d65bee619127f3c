/** Fills in options that the definition of a fleet leaves out. */
import { EngineError } from "../../core/base/index.js";
import { withStore } from "../internal/flags/fill-options.js";
import type { FleetEngineOptions, FleetOptions } from "./contract.js";

/**
 * @throws EngineError `INVALID_OPTION` if both name a state store
 */
export function withDefaults(
  definition: FleetOptions<unknown>,
  defaults: FleetEngineOptions = {},
): FleetOptions<unknown> {
  const { options: own = {} } = definition;
  const { stateStore, password, key, ...others } = defaults;
  // As for engine(): a password of the definition also replaces a key of the defaults.
  const isOpen = own.password !== undefined || own.key !== undefined;
  const opener = { ...(password !== undefined && { password }), ...(key !== undefined && { key }) };
  const options: FleetEngineOptions = {
    ...others,
    ...(isOpen ? {} : opener),
    ...own,
    ...storeOf(definition, stateStore),
  };
  return { ...definition, options };
}

function storeOf(
  { options: own = {} }: FleetOptions<unknown>,
  stateStore: FleetEngineOptions["stateStore"],
): Pick<FleetEngineOptions, "stateStore"> {
  if (stateStore === undefined) return {};
  if (typeof stateStore !== "string") return own.stateStore === undefined ? { stateStore } : refuse();
  const context = withStore({ appName: "", options: own, origins: {}, warnings: [] }, stateStore, "--state", refuse);
  return { stateStore: context.options.stateStore };
}

function refuse(): never {
  const message = `Both "defaults" (or --state) and the definition of the fleet name a state store. Leave one of them out.`;
  throw new EngineError("INVALID_OPTION", message);
}
