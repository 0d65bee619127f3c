/** Recognizes fleets, also those of another copy of the package. */
import type { FleetEngineOptions } from "./contract.js";
import type { Fleet } from "./fleet.js";

export const BRAND = Symbol.for("scope-engine/fleet");

/** A fleet shows the options of its definition to the `engine` command. */
export interface Branded {
  readonly [BRAND]: FleetEngineOptions;
}

/** @internal */
export function isFleet(value: unknown): value is Fleet & Branded {
  return typeof value === "object" && value !== null && BRAND in value;
}
