/** The types of values that providers know, in the form that their own JSON has: `"string"`, `["list", "number"]`, `["object", { … }]`. */
export type CtyType =
  | "string"
  | "number"
  | "bool"
  /** A value that brings its type along. */
  | "dynamic"
  | readonly ["list" | "set" | "map", CtyType]
  | readonly ["tuple", readonly CtyType[]]
  | readonly ["object", Readonly<Record<string, CtyType>>, (readonly string[])?];
