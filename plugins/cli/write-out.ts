/** Files that `--out` names. */
import { fsync } from "node:fs";
import { open } from "node:fs/promises";
import { promisify } from "node:util";
import { EngineError } from "../../core/base/index.js";
import { leadsOut } from "../internal/leads-out.js";
import { unusableFile } from "./unusable-file.js";

/**
 * For its owner alone: what is recorded is nobody else's business.
 *
 * @throws EngineError `INVALID_ARGUMENT`, also where a link leads out of the folder that the command runs in
 */
export async function writeOut(path: string, text: string): Promise<void> {
  if (leadsOut(process.cwd(), path)) {
    const message = `"${path}" leads out of the folder by a symbolic link, and nothing was written. Name the file itself.`;
    throw new EngineError("INVALID_ARGUMENT", message);
  }
  try {
    const file = await open(path, "w", 0o600);
    try {
      // A pipe or a device is nobody's alone.
      const isOwn = (await file.stat()).isFile();
      if (isOwn) await file.chmod(0o600);
      await file.writeFile(text);
      // Not file.sync(): Yarn's Plug'n'Play has handles of its own, which know no such thing.
      if (isOwn) await promisify(fsync)(file.fd);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw unusableFile(path, "written", error);
  }
}
