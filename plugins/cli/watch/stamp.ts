import { statSync } from "node:fs";

/** Of a file that is not there. */
export const NOTHING = "none";

/** Changes whenever the file is written, replaced, made or removed. */
export function stampOf(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() ? `${stat.ino}:${stat.size}:${stat.mtimeMs}` : NOTHING;
}
