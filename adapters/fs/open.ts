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

/** Options of {@link fsStoreAt}. */
export interface FsStoreOptions {
  /**
   * `"full"`: every acknowledged write survives a power loss. `"normal"`: it survives the end of the process, and a
   * power loss if the engine requests that. Default: `"normal"`.
   */
  readonly durability?: "normal" | "full";
  /** False: values are not appended to in place; for network disks with delayed writes. Default: true. */
  readonly append?: boolean;
}

/** A store in a folder. It supports `append` unless it was made with `append: false`. */
export interface FsStore extends KeyvStorageAdapter, Partial<Growing> {
  readonly location: string;
  /** Closes the files that are open for `append`; a later append opens them again. */
  close(): Promise<void>;
}

/** @param root absolute */
export function openFolder(root: string, options: FsStoreOptions, disk: Disk): FsStore {
  const full = options.durability === "full";
  const pathOf = (key: string): string => join(root, fileOf(key));
  const appender = new Appender({ pathOf, usable, full, platform: disk.platform });
  const swept = new Set<string>();
  let checked: Promise<void> | undefined;

  /** Checks the root once. An unusable root is checked again, because it may have been fixed. */
  function usable(): Promise<void> {
    checked ??= checkRoot(root).catch((error: unknown) => {
      checked = undefined;
      throw error;
    });
    return checked;
  }

  /** Sweeps each folder once per store: reading the folder for every create would be too slow. */
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
        // Windows does not replace an open file, even if this process has it open.
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
        // After the create, because then the folder has the current time.
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

/** Replaces a file in one step: a reader sees the old value or the new one. */
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

/** Removes a file. False if it did not exist. */
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

/** Renames a file before it is deleted: Windows keeps its name in use while a process has it open. */
async function removeOpen(path: string, disk: Disk): Promise<void> {
  const aside = temporaryBeside(path);
  await whenFree(() => disk.rename(path, aside), disk.platform);
  await discard(aside);
}

/** Flags to open without blocking, because a named pipe in place of a file would block. */
const WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK;

/** Reads a value; undefined if there is no file. */
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
    `Could not read ${path}: it is not a file, but it has the name of a state file. Move it away, then run again.`,
  );
}

/** A create: a complete file is linked to its name, which succeeds in only one process. */
interface Creation {
  readonly path: string;
  readonly value: string;
  /** The created value survives a power loss. */
  readonly sync: boolean;
  /** An existing value survives a power loss, too. */
  readonly syncFound: boolean;
  readonly disk: Disk;
}

/** Creates a file. False if it exists already. */
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
    // A network disk that lost its reply and retried reports its own link as existing; the number of links shows this.
    const links = await stat(temporary).then(
      ({ nlink }) => nlink,
      () => undefined,
    );
    if (links === 2) return true;
    if (links !== undefined && hasCode(error, "EEXIST")) return false;
    // Windows reports EISDIR for a FAT disk, which has no hard links.
    const lacking = hasCode(error, "EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EXDEV", "EMLINK", "EISDIR");
    throw lacking ? noHardLinks(path, error) : error;
  }
}

/**
 * Checks the root. A missing root is fine, because the first write creates it.
 *
 * @param root absolute
 * @throws EngineError `STORE_FAILED` if the path is not a folder
 */
async function checkRoot(root: string): Promise<void> {
  try {
    const found = await lstat(root);
    if (found.isDirectory()) return;
    if (!found.isSymbolicLink()) throw unusable(root, "is not a folder. Move it away, or choose another folder");
    const target = await stat(root).catch((error: unknown) => {
      if (!isAbsence(error)) throw error;
    });
    if (target?.isDirectory()) return;
    const state = target
      ? "is not a folder. Correct the link, or choose another folder"
      : "does not exist. Create that folder, mount its disk, or choose another folder";
    throw unusable(root, `is a symbolic link to ${await readlink(root)}, which ${state}`);
  } catch (error) {
    if (!hasCode(error, "ENOENT")) throw storeFailed("open the state in", root, error);
  }
}

function unusable(root: string, what: string): EngineError {
  return new EngineError("STORE_FAILED", `The state can't be kept in ${root}: it ${what}: fsStore({ root }).`);
}
