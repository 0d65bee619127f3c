/** Files that `--out` names. */
import { fsync } from "node:fs";
import { open } from "node:fs/promises";
import { promisify } from "node:util";
import { unusableFile } from "./unusable-file.js";

/** For its owner alone: what is recorded is nobody else's business. @throws EngineError `INVALID_ARGUMENT` */
export async function writeOut(path: string, text: string): Promise<void> {
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
