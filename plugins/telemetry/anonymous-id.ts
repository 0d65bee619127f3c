/** Whose runs belong together: a random number in a file among the user's own settings, made with the first one. */
import { randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { configFolder, EngineError, type Environment, hasCode, messageOf, publishFile } from "../../core/base/index.js";
import { spoolIn } from "./spool.js";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * @param made called by the one process that has made it
 * @returns undefined where none can be kept
 */
export function anonymousId(folder: string, made: () => void): string | undefined {
  const file = idIn(folder);
  try {
    const known = read(file);
    if (known !== undefined && UUID.test(known)) return known;
    // Whatever is in there, it is no id.
    if (known !== undefined) rmSync(file);
    const id = randomUUID();
    if (!publishFile(file, `${id}\n`, { flush: false })) return read(file);
    made();
    return id;
  } catch {
    return undefined;
  }
}

/** The file that holds it. */
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

/** Whether the user of this machine wants telemetry: a small file among the user's own settings. */
export interface Preference {
  /** Undefined where the user has not said anything. */
  readonly enabled: boolean | undefined;
  /** Path of the file that says so, or would; undefined where there is no place for it. */
  readonly file: string | undefined;
}

/** A file that cannot be read counts as a no. */
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
 * A no takes what was kept for telemetry away: the random number of this user, and what waits to be sent.
 *
 * @throws EngineError `STORE_FAILED` where the file cannot be written
 */
export function writePreference(env: Environment, enabled: boolean): Preference {
  const file = fileOf(env);
  if (file === undefined) throw new EngineError("STORE_FAILED", "There is no place for your settings: set HOME.");
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
  return new EngineError("STORE_FAILED", `"${file}" could not be written: ${messageOf(cause)}.`, { cause });
}
