/** The files of an imported program: checked before the resources are recorded, and written afterwards. */
import { accessSync, constants, mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { EngineError, isEngineError, messageOf, publishFile } from "../../../core/base/index.js";
import { isMissing, leadsOut } from "../../internal/text/leads-out.js";
import { unusableFile } from "../load-failure.js";

/** Texts by names in the folder. */
export type Files = ReadonlyMap<string, string>;

/** @throws EngineError `INVALID_ARGUMENT` if no folder can be made there */
export function checkTarget(folder: string): void {
  if (isMissing(folder)) return checkTarget(dirname(folder));
  // Undefined for a link that leads nowhere.
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new EngineError(
    "INVALID_ARGUMENT",
    `"${folder}" is not a folder, so this command recorded nothing. Name another one: --write DIR.`,
  );
}

/** @throws EngineError `FILE_EXISTS`, `INVALID_ARGUMENT` before anything is recorded */
export function checkFiles(folder: string, files: Files): void {
  for (const [name, text] of files) {
    const path = join(folder, name);
    if (leadsOut(folder, path))
      throw new EngineError(
        "INVALID_ARGUMENT",
        `"${path}" leads out of the project through a symbolic link, so this command recorded nothing.`,
      );
    const there = textAt(path);
    if (there === undefined) checkFolder(dirname(path));
    else if (there !== text)
      throw new EngineError(
        "FILE_EXISTS",
        `"${path}" exists, so this command recorded nothing. Name an empty folder: --write DIR.`,
      );
  }
}

/**
 * Makes the folder of the program, which is not only for the user as the folder of a state is.
 *
 * @throws EngineError `INVALID_ARGUMENT`
 */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw unusable(folder, error);
  }
}

/**
 * The main file is the last one: without it, there is no program.
 *
 * @throws EngineError `FILE_EXISTS` if another program wrote one of them meanwhile; `INVALID_ARGUMENT`
 */
export function writeFiles(folder: string, files: Files): void {
  for (const [name, text] of files) {
    const path = join(folder, name);
    if (!published(path, text) && textAt(path) !== text)
      throw new EngineError("FILE_EXISTS", `"${path}" was created in the meantime. Move it away.`);
  }
}

function published(path: string, text: string): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true });
    // Source code, which holds no secret.
    return publishFile(path, text, { mode: 0o666 });
  } catch (error) {
    throw unusableFile(path, "written", error);
  }
}

interface Recorded {
  readonly folder: string;
  readonly files: Files;
  /** FQN of the stage that holds the records. */
  readonly fqn: string;
  /** The command that imports the same again. */
  readonly command: string;
}

/** Error for files that could not be written after their resources were recorded. */
export function incomplete({ folder, files, fqn, command }: Recorded, cause: unknown): EngineError {
  const shown = (name: string): string => relative("", join(folder, name));
  const missing = [...files].flatMap(([name, text]) => (textAt(join(folder, name)) === text ? [] : shown(name)));
  const why = messageOf(cause).replace(/\.+$/, "");
  return new EngineError(
    isEngineError(cause) ? cause.code : "INVALID_ARGUMENT",
    `The resources are recorded in "${fqn}", but the files of the program are not complete: ${why}.
  missing: ${missing.join(", ")}
Correct this, and run the same command again. It keeps the records, and writes the missing files:
  ${command}`,
    { cause },
  );
}

/** Returns undefined if there is nothing, and an empty text for everything that is not a readable file. */
function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return isMissing(path) ? undefined : "";
  }
}

/** Checks the folder, or the nearest one above it that exists. @throws EngineError `INVALID_ARGUMENT` */
function checkFolder(folder: string): void {
  if (isMissing(folder)) return checkFolder(dirname(folder));
  try {
    // The slash asks for a folder.
    accessSync(`${folder}/`, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw unusable(folder, error);
  }
}

function unusable(folder: string, cause: unknown): EngineError {
  const message = `No file can be written into "${folder}", so this command recorded nothing: ${messageOf(cause)}. Name another folder: --write DIR.`;
  return new EngineError("INVALID_ARGUMENT", message, { cause });
}
