/** Finds the file of a project's program. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { EngineError, nameProblem } from "../../core/base/index.js";

const NAMES = ["engine.run.ts", "engine.run.mts", "engine.run.js", "engine.run.mjs"] as const;
const RUNNABLE = /\.[cm]?[jt]sx?$/;

/** Returns the absolute path of the named file, or of the default one; undefined if none was named and none exists. */
export function findEntry(named: string | undefined, folder = process.cwd()): string | undefined {
  if (named === undefined) return NAMES.map((name) => resolve(folder, name)).find(isFile);
  const path = resolve(folder, named);
  if (isFile(path)) {
    if (RUNNABLE.test(path)) return path;
    throw new EngineError("INVALID_ARGUMENT", `"${named}" is not a program. Name a .ts, .mts, .js or .mjs file.`);
  }
  const inside = NAMES.map((name) => resolve(path, name)).find(isFile);
  if (inside !== undefined) return inside;
  if (isFolder(path)) throw nothingToRun(`there is no ${NAMES[0]} in the folder "${named}".`);
  // A single word is probably not the name of a file.
  const stage =
    /[./\\]/.test(named) || nameProblem(named) !== undefined ? "" : ` If "${named}" is a stage, pass --stage ${named}.`;
  throw nothingToRun(`there is no file "${named}".${stage}`);
}

/** @throws EngineError `INVALID_ARGUMENT` if there is no program */
export function entryOf(named: string | undefined): string {
  const entry = findEntry(named);
  if (entry !== undefined) return entry;
  throw nothingToRun(
    `there is no ${NAMES.join(", ")} in "${process.cwd()}". Name the program's file, or create one with "engine init".`,
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
