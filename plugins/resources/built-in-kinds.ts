import type { EnginePlugin } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";

const KINDS: ReadonlySet<string> = new Set([
  "fs:CopyFile",
  "fs:File",
  "fs:Folder",
  "os:Command",
  "os:Process",
  "random:Password",
  "random:String",
]);

/** Defines the built-in types if a recorded resource is of their kinds and the program does not import them. */
export function builtInKinds(): EnginePlugin {
  return definePlugin({
    name: "built-in-kinds",
    apply({ hooks }) {
      hooks.resolveKind.tapPromise("built-in-kinds", async ({ kind }) => {
        // They register themselves.
        if (KINDS.has(kind)) await import("./index.js");
        return undefined;
      });
    },
  });
}
