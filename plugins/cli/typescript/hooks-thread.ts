/** Thread that provides the files of a program to a Node without synchronous hooks. It loads as little as possible. */
import type { InitializeHook, LoadHook, ResolveHook } from "node:module";
import type { Start } from "./hooks.js";
import { askedOf, checkBuiltin, importKey, isForNode, isPath } from "./known.js";

type LateProgram = ReturnType<typeof import("./late-program.js")["lateProgram"]>;

/** Folder of the engine's built files. */
const OWN = new URL("../../../", import.meta.url).href;

let start: Start;
let late: Promise<LateProgram> | undefined;

/** Reads the program again, for imports that were not known before it ran. */
function lateProgram(): Promise<LateProgram> {
  // Once, because its own modules are loaded through the same hooks.
  late ??= import("./late-program.js").then((module) => module.lateProgram(start));
  return late;
}

export const initialize: InitializeHook<Start> = (given) => {
  start = given;
};

export const resolve: ResolveHook = async (specifier, context, next) => {
  const { known } = start;
  const { parentURL = "" } = context;
  const url = known.resolved.get(importKey(parentURL, specifier));
  if (url) return { url, shortCircuit: true };
  checkBuiltin(specifier, parentURL, known.missing);
  // A missing file may have been created since.
  const isUnknown = (url === undefined || isPath(specifier)) && isOfProgram(parentURL);
  const found = isUnknown ? (await lateProgram()).resolve(specifier, context) : undefined;
  return found ?? next(...askedOf(specifier, context, known));
};

export const load: LoadHook = async (url, context, next) => {
  const module = start.known.loaded.get(url);
  if (module) return isForNode(module, context) ? next(url, context) : { ...module, shortCircuit: true };
  return (
    (isOfProgram(url) && /\.([cm]?tsx?|jsx|json|txt)(\?|$)/.test(url)
      ? (await lateProgram()).load(url, context)
      : undefined) ?? next(url, context)
  );
};

/**
 * True for a file of the program, also one that it reached while running; false for packages and the engine's own
 * files.
 */
function isOfProgram(url: string): boolean {
  if (start.known.files.has(url)) return true;
  return late !== undefined && url.startsWith("file:") && !url.includes("/node_modules/") && !url.startsWith(OWN);
}
