import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { LOCK_FILE } from "../registry/index.js";

/**
 * Where `engine add` has written the lock file: beside the program, else in the root folder.
 *
 * @param program path of its file
 */
export function lockFileOf(rootDir: string, program: string | undefined): string {
  const beside = program && join(dirname(program), LOCK_FILE);
  return beside && existsSync(beside) ? beside : join(rootDir, LOCK_FILE);
}
