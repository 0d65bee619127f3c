/** Switches telemetry on or off by options and variables, without reading a file. */
import type { Environment } from "../../core/base/index.js";
import type { ResolvedOptions, TelemetrySink } from "../../core/contract/index.js";

/** A project of a service that takes events. */
export interface TelemetryProject {
  readonly key: string;
  /** Address of the service. Default: the service's own. */
  readonly host?: string;
}

/** Makes the sink for a project. It can load the modules that the sink needs. */
export type Connect = (project: TelemetryProject) => Promise<TelemetrySink> | TelemetrySink;

/** Destination of the events of runs. */
export interface Destination {
  /**
   * Sink of the events, unless the options of the run name another. Default: `connect` makes it from the project key in
   * the environment.
   */
  readonly sink?: TelemetrySink;
  readonly connect?: Connect;
}

/** Returns the variable that switches telemetry off, if there is one. */
export function switchedOffBy(env: Environment): string | undefined {
  return ["DO_NOT_TRACK", "ENGINE_TELEMETRY_DISABLED"].find((name) => isSet(env[name]));
}

/** True if events are printed instead of sent. */
export function isOnlyShown(env: Environment): boolean {
  return isSet(env.ENGINE_TELEMETRY_DEBUG);
}

/** Returns a function that opens the sink for the events of a run; undefined if none are sent. */
export function sinkFor(
  { noTrack, telemetry, env = process.env }: ResolvedOptions,
  { sink, connect }: Destination,
): (() => Promise<TelemetrySink>) | undefined {
  if (noTrack || telemetry === false || switchedOffBy(env) !== undefined) return undefined;
  const given = telemetry ?? sink;
  if (given) return async () => given;
  const { ENGINE_TELEMETRY_KEY: key, ENGINE_TELEMETRY_HOST: host } = env;
  return key && connect ? async () => connect(host ? { key, host } : { key }) : undefined;
}

/** True if a variable that means yes or no says yes. */
export function isSet(value: string | undefined): boolean {
  return !["", "0", "false"].includes(value ?? "");
}

// Names that may be sent, because they are not private to a user. All others are sent as one group.

/** Kinds of the resource types that ship with the engine. */
export const BUILT_IN_KINDS: readonly string[] = [
  "fs:CopyFile",
  "fs:File",
  "fs:Folder",
  "os:Command",
  "os:Process",
  "random:Password",
  "random:String",
];

/** Names of the stores that ship with the engine. */
export const BUILT_IN_STORES: readonly string[] = ["fs", "keyv", "memory", "postgres", "redis", "s3"];
