/** Parts that are built into files of their own, so that they are read only where they are needed. */
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { ownFile } from "../../../core/base/index.js";

/** Not by import(): what a program comes to while it runs may be needed at once. */
export function loadBuilt<T>(name: "babel" | "find-module"): T {
  return createRequire(import.meta.url)(fileURLToPath(ownFile(`dist/plugins/cli/typescript/${name}.cjs`)));
}
