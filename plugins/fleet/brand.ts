/** Recognizes fleets, also those of another copy of the package. */
import { EngineError, processWide } from "../../core/base/index.js";
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

interface Loading {
  /** Set while a command loads a program to get its fleet. */
  entry: string | undefined;
  /** Returns the command line of another command for the program. Set once a command has loaded it. */
  command?: (name: string) => string;
}

export const loading = processWide<Loading>("fleet-loading@2", () => ({ entry: undefined }));

/** @throws EngineError `INVALID_PROGRAM` while a command loads the program: it would run before the command does */
export function refuseWhileLoading(call: string): void {
  if (loading.entry === undefined) return;
  throw new EngineError(
    "INVALID_PROGRAM",
    `"${loading.entry}" calls ${call} itself, while a command loads it to get its fleet. Nothing was started. Remove the call; the command runs the fleet.`,
  );
}
