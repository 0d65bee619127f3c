/** Where a project has its lock file, and the modules of its providers. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { EngineError } from "../../../core/base/index.js";
import { leadsOut } from "../../internal/text/leads-out.js";
import { type WrittenModule, writtenModule } from "../../terraform/generate/index.js";
import { LOCK_FILE } from "../../terraform/registry/index.js";
import { findEntry } from "../entry.js";
import { programSources } from "./program-uses.js";

export interface ProviderProject {
  /** The program; undefined where there is none yet. */
  readonly entry: string | undefined;
  /** That of the program, else the current one. */
  readonly folder: string;
  readonly lockFile: string;
}

/** @throws EngineError `INVALID_ARGUMENT` where a program is named that is not there */
export function projectAt(entry: string | undefined): ProviderProject {
  const found = findEntry(entry);
  const folder = found === undefined ? process.cwd() : dirname(found);
  return { entry: found, folder, lockFile: join(folder, LOCK_FILE) };
}

export interface ModuleFile {
  readonly path: string;
  /** What it has; undefined where there is no such file yet. */
  readonly written: WrittenModule | undefined;
}

export interface ModuleWanted {
  /** As the lock file has it. */
  readonly source: string;
  readonly type: string;
  /** Where it is to be. */
  readonly out?: string;
}

/**
 * The file that was named, else the one that the program has already, else `providers/TYPE.ts`.
 *
 * @throws EngineError `FILE_EXISTS` where something else is there; `INVALID_ARGUMENT` where a link leads out of the project
 */
export function moduleFile(project: ProviderProject, { source, type, out }: ModuleWanted): ModuleFile {
  const usual = join(project.folder, "providers", `${type}.ts`);
  const path = out === undefined ? (ownModule(project, source, usual) ?? usual) : resolve(out);
  if (out === undefined && leadsOut(project.folder, path)) throw outside(path);
  if (!existsSync(path)) return { path, written: undefined };
  const written = moduleIn(path);
  if (written?.source === source) return { path, written };
  const what = written === undefined ? "is no module that was written by this command" : `is that of ${written.source}`;
  throw new EngineError("FILE_EXISTS", `"${path}" ${what}, and was left as it is. Name another file by --out.`);
}

function outside(path: string): EngineError {
  const message = `"${path}" leads out of the project by a symbolic link, and nothing was written. Name a file by --out.`;
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
    return undefined; // Not there, or no file: whoever writes it says so.
  }
}

/** For people. */
export function shownPath(path: string): string {
  return relative(process.cwd(), path) || path;
}
