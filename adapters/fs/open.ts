import { constants, lstat, open, readlink, stat, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { EngineError, hasCode, isAbsence, whenFree } from "../../core/base/index.js";
import type { Growing } from "../../core/contract/index.js";
import { eachBounded } from "../kit/bounded.js";
import { type KeyvStorageAdapter, type PlainStore, withKeyvMethods } from "../kit/keyv-adapter.js";
import { Appender } from "./append.js";
import type { Disk } from "./disk.js";
import { discard, sweep, syncFolder, temporaryBeside, writeTemporary } from "./disk.js";
import { noHardLinks, storeFailed } from "./error.js";
import { fileOf, listKeys } from "./path.js";

/** How the store in files writes. */
export interface FsStoreOptions {
  /**
   * `"full"`: what was acknowledged survives a power loss. `"normal"`: it survives the process, and a power loss where
   * the engine asks for that. Default: `"normal"`.
   */
  readonly durability?: "normal" | "full";
  /** False: no value grows in place; for network disks, on which writes reach other machines late. Default: true. */
  readonly append?: boolean;
}

/** A store in a folder; growing unless it was made with `append: false`. */
export interface FsStore extends KeyvStorageAdapter, Partial<Growing> {
  readonly location: string;
  /** Closes the files that are open for growing; a later append opens them again. */
  close(): Promise<void>;
}

/** @param root absolute */
export function openFolder(root: string, options: FsStoreOptions, disk: Disk): FsStore {
  const full = options.durability === "full";
  const pathOf = (key: string): string => join(root, fileOf(key));
  const appender = new Appender({ pathOf, usable, full, platform: disk.platform });
  const swept = new Set<string>();
  let checked: Promise<void> | undefined;

  /** Once; a root that cannot be used is looked at again, for it may have been mended meanwhile. */
  function usable(): Promise<void> {
    checked ??= checkRoot(root).catch((error: unknown) => {
      checked = undefined;
      throw error;
    });
    return checked;
  }

  /** Once for each folder and store: a read of the folder is cheap, and too dear for every create. */
  async function sweepOnce(folder: string): Promise<void> {
    if (swept.has(folder)) return;
    swept.add(folder);
    await sweep(folder);
  }

  async function remove(key: string): Promise<boolean> {
    await usable();
    const path = pathOf(key);
    try {
      return await removeFile(path, full, disk);
    } catch (error) {
      throw storeFailed("delete", path, error);
    } finally {
      await appender.forget(key);
    }
  }

  const store: PlainStore<FsStore> = {
    name: "fs",
    location: root,
    local: true,
    async get(key) {
      await usable();
      return readValue(pathOf(key));
    },
    async getMany(keys) {
      return eachBounded(keys, store.get);
    },
    async set(key, value) {
      await usable();
      const path = pathOf(key);
      try {
        // Windows replaces no file that is open, be it by this very process.
        if (disk.platform === "win32") await appender.forget(key);
        await replaceFile(path, value, full, disk);
      } catch (error) {
        throw storeFailed("write", path, error);
      } finally {
        await appender.forget(key);
      }
    },
    async deleteMany(keys) {
      const there = await eachBounded(keys, remove);
      return there.includes(true);
    },
    async create(key, value, { sync = true } = {}) {
      await usable();
      const path = pathOf(key);
      try {
        return await createFile({ path, value, sync: sync || full, syncFound: full, disk });
      } catch (error) {
        throw storeFailed("create", path, error);
      } finally {
        // Behind it, for then the folder's time is the present one.
        await sweepOnce(dirname(path));
      }
    },
    async *list(prefix) {
      await usable();
      yield* listKeys(root, prefix);
    },
    close: () => appender.close(),
    ...(options.append === false ? {} : { append: appender.append.bind(appender) }),
  };
  return withKeyvMethods(store);
}

/** Gives `path` a new value: a reader meets the old one or the new one, and nothing in between. */
async function replaceFile(path: string, value: string, sync: boolean, disk: Disk): Promise<void> {
  const temporary = await writeTemporary(path, value, sync);
  try {
    await whenFree(() => disk.rename(temporary, path), disk.platform);
  } catch (error) {
    await discard(temporary);
    throw error;
  }
  if (sync) await syncFolder(dirname(path), disk.platform);
}

/** False: there was no file at `path`. */
async function removeFile(path: string, sync: boolean, disk: Disk): Promise<boolean> {
  try {
    await (disk.platform === "win32" ? removeOpen(path, disk) : unlink(path));
  } catch (error) {
    if (isAbsence(error)) return false;
    throw error;
  }
  if (sync) await syncFolder(dirname(path), disk.platform);
  return true;
}

/** Windows keeps the name of a file that somebody has open until he closes it, and lets nobody have it meanwhile: so that goes first. */
async function removeOpen(path: string, disk: Disk): Promise<void> {
  const aside = temporaryBeside(path);
  await whenFree(() => disk.rename(path, aside), disk.platform);
  await discard(aside);
}

/** What stands in for a file but is none, such as a named pipe, would otherwise be waited for. */
const WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK;

/** Undefined: there is no file at `path`. */
async function readValue(path: string): Promise<string | undefined> {
  try {
    const handle = await whenFree(() => open(path, WITHOUT_WAITING));
    try {
      if (!(await handle.stat()).isFile()) throw notAFile(path);
      return await handle.readFile("utf8");
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw storeFailed("read", path, error);
  }
}

function notAFile(path: string): EngineError {
  return new EngineError(
    "STORE_FAILED",
    `Could not read ${path}: it is not a file, though a value of the state has this name. Move it away, then run again.`,
  );
}

/** Put if absent: a whole file is linked to its name, which the file system grants to one process alone. */
interface Creation {
  readonly path: string;
  readonly value: string;
  /** The value survives a power loss when this resolves. */
  readonly sync: boolean;
  /** A value found there survives one as well. */
  readonly syncFound: boolean;
  readonly disk: Disk;
}

/** False: there is a file at `path` already. */
async function createFile({ path, value, sync, syncFound, disk }: Creation): Promise<boolean> {
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

/**
 * A root that is not there is fine: the first write makes it.
 *
 * @param root absolute
 * @throws EngineError `STORE_FAILED` where something else is in its place
 */
async function checkRoot(root: string): Promise<void> {
  try {
    const found = await lstat(root);
    if (found.isDirectory()) return;
    if (!found.isSymbolicLink()) throw unusable(root, "is not a folder. Move it away, or name another one");
    const target = await stat(root).catch((error: unknown) => {
      if (!isAbsence(error)) throw error;
    });
    if (target?.isDirectory()) return;
    const state = target ? "is not a folder" : "is not there. Is its disk mounted? Mount it or make the folder";
    throw unusable(root, `is a symbolic link to ${await readlink(root)}, which ${state}, or name another one`);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw storeFailed("open the state in", root, error);
  }
}

function unusable(root: string, what: string): EngineError {
  return new EngineError("STORE_FAILED", `The state can't be kept in ${root}: it ${what}, fsStore({ root }).`);
}
