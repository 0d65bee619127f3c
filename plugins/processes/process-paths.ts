/** Where logs and records of processes are, below the root folder: no two of them share a file. */
import { join } from "node:path";
import { EngineError, OWN_FOLDER, type PlatformName } from "../../core/base/index.js";
import { fqnIn, keyIn, type Scope } from "../../core/contract/index.js";
import type { App, Run } from "../../core/run/index.js";
import { encodeName } from "../../core/state/index.js";

/** Name of the folder of records, in the project's own folder. */
export const PROCESSES = "processes";

/** Whose files they are. */
export interface ProcessPaths {
  readonly rootDir: string;
  readonly app: string;
  readonly stage: string;
  /** Names of the child scopes, joined by `/`; empty for the root. */
  readonly path: string;
  /** Id of the process. */
  readonly id: string;
}

/** Of a command, or of a process of the program. */
export function logOf(paths: ProcessPaths): string {
  return join(paths.rootDir, OWN_FOLDER, "logs", ...foldersOf(paths), `${plainName(paths.id)}.log`);
}

export function recordOf(paths: ProcessPaths): string {
  return join(recordsOf(paths), ...scopesOf(paths), `${plainName(paths.id)}.json`);
}

/** Of a resource: where it moves to another name, its process stays what it is. */
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

/** The folder of all records below a root folder. */
export function allRecords(rootDir: string): string {
  return join(rootDir, OWN_FOLDER, PROCESSES);
}

/** The folder of the records of one stage. */
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
 * A name that does not end like a file of ours: a scope "web.log" is not the log of "web". No encoding has "%2E". On Windows it is no
 * device either, and ends in no dot, which would get lost; elsewhere such names stay, for what runs is found by them.
 */
export function plainName(name: string, platform: PlatformName = process.platform): string {
  const plain = encodeName(name).replace(/\.(log|json|resource|log\.1)$/, "%2E$1");
  if (platform !== "win32") return plain;
  return plain.replace(/^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i, (device) => `%_${device}`).replace(/\.$/, "%2E");
}

// Ids that one run has used, for commands and for processes.

type Method = "exec" | "spawn";

const used = new WeakMap<Run, Map<string, Method>>();

/** Keys by their small letters, where a disk may take capital ones for the same. */
const spellings = new WeakMap<Run, Map<string, string>>();

/** @throws EngineError `DUPLICATE_ID` for two that would write into one log: a process and a command, or two spellings of a name */
export function claimId(
  { run }: Pick<App, "run">,
  scope: Scope,
  id: string,
  method: Method,
  platform: PlatformName = process.platform,
): void {
  const key = keyIn(scope, id);
  const before = claimIn(used, run, key, method);
  if (before !== method) throw duplicate(fqnIn(scope, id), "is an id of exec() and of spawn()");
  if (platform !== "darwin" && platform !== "win32") return;
  const other = claimIn(spellings, run, key.toLowerCase(), key);
  if (other !== key) throw duplicate(fqnIn(scope, id), `differs from "${other}" in capital letters alone`);
}

/** The value that was first. */
function claimIn<T>(all: WeakMap<Run, Map<string, T>>, run: Run, key: string, value: T): T {
  const values = all.get(run) ?? new Map<string, T>();
  all.set(run, values);
  const first = values.get(key) ?? value;
  values.set(key, first);
  return first;
}

function duplicate(fqn: string, what: string): EngineError {
  const message = `"${fqn}" ${what}, which would write into one log. Give one of them another id.`;
  return new EngineError("DUPLICATE_ID", message, { fqn });
}

/** True where this run has spawned the process of a key. */
export function isSpawned({ run }: App, key: string): boolean {
  return used.get(run)?.get(key) === "spawn";
}
