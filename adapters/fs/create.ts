/** Put if absent: a whole file is linked to its name, which the file system grants to one process alone. */

import { stat } from "node:fs/promises";
import { dirname } from "node:path";
import { hasCode } from "../../core/base/index.js";
import type { Disk } from "./disk.js";
import { noHardLinks } from "./error.js";
import { syncFolder } from "./folder.js";
import { discard, writeTemporary } from "./temporary.js";

export interface Creation {
  readonly path: string;
  readonly value: string;
  /** The value survives a power loss when this resolves. */
  readonly sync: boolean;
  /** A value found there survives one as well. */
  readonly syncFound: boolean;
  readonly disk: Disk;
}

/** False: there is a file at `path` already. */
export async function createFile({ path, value, sync, syncFound, disk }: Creation): Promise<boolean> {
  const temporary = await writeTemporary(path, value, sync);
  let created: boolean;
  try {
    created = await linkNew(temporary, path, disk);
  } finally {
    await discard(temporary);
  }
  if (created ? sync : syncFound) await syncFolder(dirname(path), disk.platform);
  return created;
}

async function linkNew(temporary: string, path: string, disk: Disk): Promise<boolean> {
  try {
    await disk.link(temporary, path);
    return true;
  } catch (error) {
    // A network disk that lost its own reply and asked again reports the link that it made itself; the count knows.
    const links = await stat(temporary).then(
      ({ nlink }) => nlink,
      () => undefined,
    );
    if (links === 2) return true;
    if (links !== undefined && hasCode(error, "EEXIST")) return false;
    // Windows says EISDIR where a FAT disk has no such function.
    const lacking = hasCode(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EXDEV", "EMLINK", "EISDIR");
    throw lacking ? noHardLinks(path, error) : error;
  }
}
