/** Recovery files, next to the project: the one place that knows their names and reads and writes their text. */
import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { readdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { FORMAT, seal, unseal } from "./entry.js";
import type { Head } from "./head.js";
import { encodeName } from "./keys.js";
import type { Result } from "./recovery.js";

export interface Recovery {
  readonly app: string;
  readonly stage: string;
  readonly lineage: string;
  /** The session that could not record its results. */
  readonly session: string;
  /** The newest entry of the journal that it knew to be there. */
  readonly seq: number;
  /** In the order in which they came about, data first. */
  readonly results: readonly Result[];
}

interface Body extends Recovery {
  readonly format: number;
}

/**
 * Writes the file, whole or not at all, and returns its path. Synchronous: the process may be about to end. Undefined:
 * nothing was ever written to the ledger, so no handler was ever called.
 */
export function writeRecovery(
  rootDir: string,
  { app, stage, lineage, seq }: Head,
  session: string,
  results: readonly Result[],
): string | undefined {
  if (lineage === undefined) return undefined;
  const path = join(rootDir, `${prefixOf(app, stage)}${session}.json`);
  mkdirSync(rootDir, { recursive: true });
  writeFileSync(`${path}.part`, textOf({ format: FORMAT, app, stage, lineage, session, seq, results }), {
    mode: 0o600,
    flush: true,
  });
  renameSync(`${path}.part`, path);
  return path;
}

/** Paths of the files that may belong to a stage. One look at one folder. */
export async function findRecoveries(rootDir: string, app: string, stage: string): Promise<string[]> {
  const prefix = prefixOf(app, stage);
  const names = await readdir(rootDir).catch((error: unknown) => {
    if (isAbsence(error)) return [];
    throw error;
  });
  // What follows the prefix is a session's name: another stage's may begin with this one's and go on with a dot.
  const own = names.filter((name) => name.startsWith(prefix) && /^[^.]+\.json$/.test(name.slice(prefix.length)));
  return own.map((name) => join(rootDir, name));
}

/** What a file holds; a text says why it cannot be used, and undefined that it is gone. */
export async function readRecovery(path: string): Promise<Recovery | string | undefined> {
  try {
    return bodyOf(await readFile(path, "utf8"));
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

export function removeRecovery(path: string): Promise<void> {
  return rm(path, { force: true });
}

/** Keeps a file under a name that no run looks for, and returns its path. */
export async function setRecoveryAside(path: string): Promise<string> {
  const aside = path.replace(/json$/, "stale.json");
  await rename(path, aside);
  return aside;
}

function prefixOf(app: string, stage: string): string {
  return `engine-recovery.${encodeName(app)}.${encodeName(stage)}.`;
}

function textOf(body: Body): string {
  return `${seal(JSON.stringify(body, null, 1)).text}\n`;
}

function bodyOf(text: string): Recovery | string {
  if (unseal(text.trimEnd()) === undefined) return "it is damaged";
  const { format, ...recovery } = JSON.parse(text) as Body;
  return format > FORMAT ? `a newer version of scope-engine wrote it (format ${format})` : recovery;
}

function isAbsence(error: unknown): boolean {
  return error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
}
