/** What may be told by its name, for it is nobody's own. All else is told as one. */

/** Kinds of the resource types that ship with the engine. */
export const BUILT_IN_KINDS: readonly string[] = [
  "fs:CopyFile",
  "fs:File",
  "fs:Folder",
  "os:Command",
  "os:Process",
  "random:Password",
  "random:String",
];

/** Names of the stores that ship with the engine. */
export const BUILT_IN_STORES: readonly string[] = ["fs", "keyv", "memory", "redis", "s3"];
