/** A file of the user's own that appears whole, or not at all. */
import { randomUUID } from "node:crypto";
import { linkSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a file that nobody else can read, unless there is one: of several processes one succeeds.
 *
 * @returns false where there is one
 * @throws what the file system throws
 */
export function publish(file: string, text: string): boolean {
  const draft = `${file}.${randomUUID()}`;
  mkdirSync(dirname(file), { recursive: true });
  try {
    writeFileSync(draft, text, { mode: 0o600, flag: "wx" });
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (Reflect.get(Object(error), "code") === "EEXIST") return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}
