/** Whose runs belong together: a random number in a file among the user's own settings, made with the first one. */

import { randomUUID } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { hasCode, publishFile } from "../../core/base/index.js";

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
export function idIn(folder: string): string {
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
