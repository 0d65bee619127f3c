/** Which file is the program of a project. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { EngineError, nameProblem } from "../../core/base/index.js";

const NAMES = ["engine.run.ts", "engine.run.mts", "engine.run.js", "engine.run.mjs"] as const;
const RUNNABLE = /\.[cm]?[jt]sx?$/;

/** Absolute path of the file that was named, or of the one that is found; undefined where none was named and none is there. */
export function findEntry(named: string | undefined, folder = process.cwd()): string | undefined {
  if (named === undefined) return NAMES.map((name) => resolve(folder, name)).find(isFile);
  const path = resolve(folder, named);
  if (isFile(path)) {
    if (RUNNABLE.test(path)) return path;
    throw new EngineError("INVALID_ARGUMENT", `"${named}" is no program: name a .ts, .mts, .js or .mjs file.`);
  }
  const inside = NAMES.map((name) => resolve(path, name)).find(isFile);
  if (inside !== undefined) return inside;
  if (isFolder(path)) throw nothingToRun(`there is no ${NAMES[0]} in the folder "${named}".`);
  // A word alone is hardly a file's name.
  const stage = /[./\\]/.test(named) || nameProblem(named) !== undefined ? "" : ` If it is a stage: --stage ${named}`;
  throw nothingToRun(`there is no file "${named}".${stage}`);
}

/** @throws EngineError `INVALID_ARGUMENT` where there is none */
export function entryOf(named: string | undefined): string {
  const entry = findEntry(named);
  if (entry !== undefined) return entry;
  throw nothingToRun(
    `there is no ${NAMES.join(", ")} in "${process.cwd()}". Name the program's file, or make one by "engine init".`,
  );
}

function nothingToRun(why: string): EngineError {
  return new EngineError("INVALID_ARGUMENT", `Nothing to run: ${why}`);
}

export function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
