/** What was written is on the disk. */
import { fsync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { promisify } from "node:util";

const syncDescriptor = promisify(fsync);

/** The same as `handle.sync()`, also where Yarn's Plug'n'Play puts a handle of its own in place, which has none. */
export function syncHandle(handle: FileHandle): Promise<void> {
  return process.versions.pnp === undefined ? handle.sync() : syncDescriptor(handle.fd);
}
