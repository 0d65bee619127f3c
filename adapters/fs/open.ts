import { dirname, join } from "node:path";
import type { Growing } from "../../core/contract/index.js";
import { eachBounded } from "../kit/bounded.js";
import { type KeyvStorageAdapter, type PlainStore, withKeyvMethods } from "../kit/keyv-adapter.js";
import { Appender } from "./append.js";
import { createFile } from "./create.js";
import type { Disk } from "./disk.js";
import { storeFailed } from "./error.js";
import { listKeys } from "./list.js";
import { fileOf } from "./path.js";
import { readValue } from "./read.js";
import { removeFile } from "./remove.js";
import { replaceFile } from "./replace.js";
import { checkRoot } from "./root.js";
import { sweep } from "./temporary.js";

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
