export { type AddedProvider, type Adding, addProvider, lockIn, takeVersion } from "./add-provider.js";
export { type CachedProvider, entryFolder, lookUp, providersFolder } from "./cache.js";
export { type Choosing, chooseVersion } from "./choose.js";
export { credentialsOf } from "./credentials/index.js";
export { missing } from "./failure.js";
export { LOCK_FILE, type Lock, type LockedProvider, readLock, writeProjectFile } from "./lock-file.js";
export type { Obtaining } from "./obtain.js";
export type { Asking } from "./request.js";
export { isLocked, type Resolving, resolveProvider, schemaOf, type ToldSchema } from "./resolve-provider.js";
export {
  addressText,
  type ProviderAddress,
  type ProviderSource,
  parseSource,
  pathText,
  termsOf,
  thisTarget,
} from "./source.js";
export { executableAt } from "./unpack.js";
