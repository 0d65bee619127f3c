/** Files of a user's project: whole or not at all, and for all who may read the project. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { uuid, whenFreeNow } from "../../../core/base/index.js";

/** In place of what is there; makes the folder. @throws what the file system says */
export function writeProjectFile(path: string, text: string): void {
  const aside = `${path}.${uuid()}.tmp`;
  mkdirSync(dirname(path), { recursive: true });
  try {
    writeFileSync(aside, text, { flag: "wx", flush: true });
    whenFreeNow(() => renameSync(aside, path));
  } finally {
    rmSync(aside, { force: true });
  }
}
