/** Paths of the logs and records of processes below the root folder. No two of them share a file. */
import { join } from "node:path";
import { EngineError, OWN_FOLDER, type PlatformName } from "../../core/base/index.js";
import { fqnIn, keyIn, type Scope } from "../../core/contract/index.js";
import type { App, Run } from "../../core/run/index.js";
import { encodeName } from "../../core/state/index.js";

/** Name of the folder of records, in the project's own folder. */
export const PROCESSES = "processes";

/** Identifies the process that files belong to. */
export interface ProcessPaths {
  readonly rootDir: string;
  readonly app: string;
  readonly stage: string;
  /** Names of the child scopes, joined by `/`; empty for the root. */
  readonly path: string;
  /** Id of the process. */
  readonly id: string;
}

/** Returns the log of a command, or of a spawned process. */
export function logOf(paths: ProcessPaths): string {
  return join(paths.rootDir, OWN_FOLDER, "logs", ...foldersOf(paths), `${plainName(paths.id)}.log`);
}

export function recordOf(paths: ProcessPaths): string {
  return join(recordsOf(paths), ...scopesOf(paths), `${plainName(paths.id)}.json`);
}

/** Returns the log of a resource's process, by uid, so that a renamed resource keeps its process. */
export function resourceLogOf(paths: ProcessPaths, uid: string): string {
  return join(
    paths.rootDir,
    OWN_FOLDER,
    "logs",
    ...foldersOf({ ...paths, path: "" }),
    `${encodeName(uid)}.resource.log`,
  );
}

export function resourceRecordOf(paths: ProcessPaths, uid: string): string {
  return join(recordsOf(paths), `${encodeName(uid)}.resource.json`);
}

/** Returns the folder of all records below a root folder. */
export function allRecords(rootDir: string): string {
  return join(rootDir, OWN_FOLDER, PROCESSES);
}

/** Returns the folder of the records of one stage. */
export function recordsOf({ rootDir, app, stage }: Pick<ProcessPaths, "rootDir" | "app" | "stage">): string {
  return join(allRecords(rootDir), plainName(app), plainName(stage));
}

function foldersOf({ app, stage, ...paths }: ProcessPaths): readonly string[] {
  return [plainName(app), plainName(stage), ...scopesOf(paths)];
}

function scopesOf({ path }: Pick<ProcessPaths, "path">): readonly string[] {
  return path === "" ? [] : path.split("/").map((name) => plainName(name));
}

/**
 * Encodes a name so that it does not end like a file of the engine: a scope "web.log" is not the log of "web".
 * encodeName() never writes "%2E". On Windows the result is not a device either, and does not end with a dot, which
 * Windows would drop. On other systems such names stay, because running processes are found by them.
 */
export function plainName(name: string, platform: PlatformName = process.platform): string {
  const plain = encodeName(name).replace(/\.(log|json|resource|log\.1)$/, "%2E$1");
  if (platform !== "win32") return plain;
  return plain.replace(/^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i, (device) => `%_${device}`).replace(/\.$/, "%2E");
}

// Ids of commands and processes that a run has used.

type Method = "exec" | "spawn";

const used = new WeakMap<Run, Map<string, Method>>();

/** Keys by their lower-case form, for disks that ignore case. */
const spellings = new WeakMap<Run, Map<string, string>>();

/**
 * @throws EngineError `DUPLICATE_ID` if two would write to one log: a process and a command, or two spellings of a name
 */
export function claimId(
  { run }: Pick<App, "run">,
  scope: Scope,
  id: string,
  method: Method,
  platform: PlatformName = process.platform,
): void {
  const key = keyIn(scope, id);
  const before = claimIn(used, run, key, method);
  if (before !== method) throw duplicate(fqnIn(scope, id), "is the id of an exec() and of a spawn()");
  if (platform !== "darwin" && platform !== "win32") return;
  const other = claimIn(spellings, run, key.toLowerCase(), key);
  if (other !== key) throw duplicate(fqnIn(scope, id), `differs from "${other}" only in upper and lower case`);
}

/** Records the first value of a key, and returns it. */
function claimIn<T>(all: WeakMap<Run, Map<string, T>>, run: Run, key: string, value: T): T {
  const values = all.get(run) ?? new Map<string, T>();
  all.set(run, values);
  const first = values.get(key) ?? value;
  values.set(key, first);
  return first;
}

function duplicate(fqn: string, what: string): EngineError {
  const message = `"${fqn}" ${what}, so both would write to one log. Give one of them another id.`;
  return new EngineError("DUPLICATE_ID", message, { fqn });
}

/** True if this run has spawned the process of a key. */
export function isSpawned({ run }: App, key: string): boolean {
  return used.get(run)?.get(key) === "spawn";
}
