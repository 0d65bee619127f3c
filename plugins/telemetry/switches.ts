/** Whether anything is to be told of a run, as far as that can be seen without reading a file. */
import type { Environment } from "../../core/base/index.js";
import type { ResolvedOptions, TelemetrySink } from "../../core/contract/index.js";

/** A project of a service that takes events. */
export interface TelemetryProject {
  readonly key: string;
  /** Address of the service. Default: the service's own. */
  readonly host?: string;
}

/** Makes the sink for a project; here is the place to load what that takes. */
export type Connect = (project: TelemetryProject) => Promise<TelemetrySink> | TelemetrySink;

/** Where the events of runs go. */
export interface Destination {
  /** Where events go, unless the run's options say otherwise. Default: what `connect` makes of the environment's project key. */
  readonly sink?: TelemetrySink;
  readonly connect?: Connect;
}

/** The variable that switches telemetry off, if one does. */
export function switchedOffBy(env: Environment): string | undefined {
  return ["DO_NOT_TRACK", "ENGINE_TELEMETRY_DISABLED"].find((name) => isSet(env[name]));
}

/** True where what would be sent is only to be shown. */
export function isOnlyShown(env: Environment): boolean {
  return isSet(env.ENGINE_TELEMETRY_DEBUG);
}

/** Opens what takes the events of a run; undefined where nothing is told of it. */
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

/** Of variables that say yes or no. */
export function isSet(value: string | undefined): boolean {
  return !["", "0", "false"].includes(value ?? "");
}

// What may be told by its name, for it is nobody's own. All else is told as one.

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
export const BUILT_IN_STORES: readonly string[] = ["fs", "keyv", "memory", "redis", "s3"];
