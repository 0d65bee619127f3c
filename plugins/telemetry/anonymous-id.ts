/** Random ID that links the runs of a user, in a file of the user's settings. The first run creates it. */
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { configFolder, EngineError, type Environment, hasCode, messageOf, publishFile } from "../../core/base/index.js";
import { spoolIn } from "./spool.js";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * Returns the ID of this user, and creates it if it is missing.
 *
 * @param made called in the process that created the ID
 * @returns undefined if the ID cannot be kept
 */
export function anonymousId(folder: string, made: () => void): string | undefined {
  const file = idIn(folder);
  try {
    const known = read(file);
    if (known !== undefined && UUID.test(known)) return known;
    // The content is not an ID.
    if (known !== undefined) rmSync(file);
    const id = randomUUID();
    if (!publishFile(file, `${id}\n`, { flush: false })) return read(file);
    made();
    return id;
  } catch {
    return undefined;
  }
}

/** Path of the file that holds the ID. */
function idIn(folder: string): string {
  return join(folder, "telemetry-id");
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** The user's choice on this machine to allow telemetry or not, kept in a file of the user's settings. */
export interface Preference {
  /** Undefined if the user has not chosen. */
  readonly enabled: boolean | undefined;
  /** Path of the file for the choice, which may not exist yet; undefined if there is no folder for it. */
  readonly file: string | undefined;
}

/** Reads the user's choice. A file that cannot be read counts as a no. */
export function readPreference(env: Environment): Preference {
  const file = fileOf(env);
  if (file === undefined) return { enabled: undefined, file };
  try {
    return { enabled: JSON.parse(readFileSync(file, "utf8")).enabled === true, file };
  } catch (error) {
    return { enabled: hasCode(error, "ENOENT") ? undefined : false, file };
  }
}

/**
 * Writes the user's choice. A no also deletes the data of telemetry: the ID of this user, and the events that were not
 * sent yet.
 *
 * @throws EngineError `STORE_FAILED` if the file cannot be written
 */
export function writePreference(env: Environment, enabled: boolean): Preference {
  const file = fileOf(env);
  if (file === undefined) throw new EngineError("STORE_FAILED", "There is no folder for your settings. Set HOME.");
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify({ enabled })}\n`);
    if (!enabled) for (const kept of [idIn(dirname(file)), spoolIn(dirname(file))]) rmSync(kept, { force: true });
  } catch (error) {
    throw unwritable(file, error);
  }
  return { enabled, file };
}

function fileOf(env: Environment): string | undefined {
  const folder = configFolder(env);
  return folder === undefined ? undefined : join(folder, "telemetry.json");
}

function unwritable(file: string, cause: unknown): EngineError {
  return new EngineError("STORE_FAILED", `Could not write "${file}": ${messageOf(cause)}.`, { cause });
}
