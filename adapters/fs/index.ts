/** Store for state in files: one file per value, in folders named like the keys. */
import { resolve } from "node:path";
import { checkGiven, flag, oneOf, type RulesOf, text } from "../../core/base/index.js";
import type { StoreFactory } from "../../core/contract/index.js";
import { thisDisk } from "./disk.js";
import { type FsStore, type FsStoreOptions, openFolder } from "./open.js";

export type { FsStore, FsStoreOptions } from "./open.js";

/** Options of {@link fsStore}. */
export interface FsStoreFactoryOptions extends FsStoreOptions {
  /** Folder of the state, absolute or relative to the project's root folder. Default: `.engine`. */
  readonly root?: string;
}

/**
 * Returns the `stateStore` option for state in files of the project.
 *
 * @example
 * ```ts
 * await engine("my-app", { stateStore: fsStore({ root: "/srv/state", durability: "full" }) });
 * ```
 *
 * @throws EngineError `INVALID_OPTION`
 */
export function fsStore(options: FsStoreFactoryOptions = {}): StoreFactory<FsStore> {
  checkGiven("fsStore", options, { root: text, ...RULES });
  const { root = ".engine", ...how } = options;
  return ({ rootDir }) => fsStoreAt(resolve(rootDir, root), how);
}

const RULES: RulesOf<FsStoreOptions> = {
  durability: oneOf<"normal" | "full">({ normal: true, full: true }),
  append: flag,
};

/**
 * Returns the store in a folder.
 *
 * @param root absolute, or relative to the current working directory
 * @throws EngineError `INVALID_OPTION`
 */
export function fsStoreAt(root: string, options: FsStoreOptions = {}): FsStore {
  checkGiven("fsStoreAt", options, RULES);
  return openFolder(resolve(root), options, thisDisk);
}
