/** Locates the lock file of a project and the modules of its providers. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { EngineError } from "../../../core/base/index.js";
import { leadsOut } from "../../internal/text/leads-out.js";
import { type WrittenModule, writtenModule } from "../../terraform/generate/index.js";
import { LOCK_FILE } from "../../terraform/registry/index.js";
import { findEntry } from "../entry.js";
import { programSources } from "./program-uses.js";

export interface ProviderProject {
  /** The program; undefined if there is none yet. */
  readonly entry: string | undefined;
  /** Folder of the program, else the current one. */
  readonly folder: string;
  readonly lockFile: string;
}

/** @throws EngineError `INVALID_ARGUMENT` if the named program does not exist */
export function projectAt(entry: string | undefined): ProviderProject {
  const found = findEntry(entry);
  const folder = found === undefined ? process.cwd() : dirname(found);
  return { entry: found, folder, lockFile: join(folder, LOCK_FILE) };
}

/** Returns the project in a folder that may not have a program yet. */
export function projectIn(folder: string): ProviderProject {
  return { entry: undefined, folder, lockFile: join(folder, LOCK_FILE) };
}

export interface ModuleFile {
  readonly path: string;
  /** Contents of the file; undefined if it does not exist yet. */
  readonly written: WrittenModule | undefined;
}

export interface ModuleWanted {
  /** Source, as in the lock file. */
  readonly source: string;
  readonly type: string;
  /** Path to write to. */
  readonly out?: string;
}

/**
 * Returns the named file, else the existing one of the program, else `providers/TYPE.ts`.
 *
 * @throws EngineError `FILE_EXISTS` if another file has this path; `INVALID_ARGUMENT` if a link leads out of the
 * project
 */
export function moduleFile(project: ProviderProject, { source, type, out }: ModuleWanted): ModuleFile {
  const usual = join(project.folder, "providers", `${type}.ts`);
  const path = out === undefined ? (ownModule(project, source, usual) ?? usual) : resolve(out);
  if (out === undefined && leadsOut(project.folder, path)) throw outside(path);
  if (!existsSync(path)) return { path, written: undefined };
  const written = moduleIn(path);
  if (written?.source === source) return { path, written };
  const what = written === undefined ? "was not written by this command" : `is the module of ${written.source}`;
  throw new EngineError(
    "FILE_EXISTS",
    `"${path}" exists and ${what}, so it was not changed. Name another file with --out.`,
  );
}

function outside(path: string): EngineError {
  const message = `"${path}" leads out of the project through a symbolic link, so nothing was written. Name a file with --out.`;
  return new EngineError("INVALID_ARGUMENT", message);
}

function ownModule({ entry }: ProviderProject, source: string, usual: string): string | undefined {
  if (moduleIn(usual)?.source === source || entry === undefined) return undefined;
  return programSources(entry).find((path) => moduleIn(path)?.source === source);
}

function moduleIn(path: string): WrittenModule | undefined {
  try {
    return writtenModule(readFileSync(path, "utf8"));
  } catch {
    return undefined; // Missing, or not a file: writing it reports the error.
  }
}

/** Formats a path for people. */
export function shownPath(path: string): string {
  return relative(process.cwd(), path) || path;
}
