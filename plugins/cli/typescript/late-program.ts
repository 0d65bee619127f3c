/**
 * Reads the whole program again in the thread of the hooks. Loaded if an import was not known before the program ran.
 */
import { loaded, resolved, type Start } from "./hooks.js";
import type { LoadContext, ResolveContext } from "./known.js";
import { Program } from "./program.js";

export function lateProgram({ entry, memory, port }: Start) {
  const program = new Program(entry, memory);
  program.read();
  program.onSeen = (source) => port.postMessage(source);
  return {
    resolve: (specifier: string, context: ResolveContext) => resolved(program, specifier, context),
    load: (url: string, context: LoadContext) => loaded(program, url, context),
  };
}
