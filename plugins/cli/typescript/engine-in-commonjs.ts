/** `require("scope-engine")` in a CommonJS file that was compiled: Node 20 and 22 cannot link a module that is asked for by such a file. */

/**
 * The code, in which `require` has the engine loaded as by a file that Node reads itself. On its first line, so that all stays on its own.
 *
 * @param entry the program's file, whose engine is the one
 */
export function requiringEngine(code: string, entry: string): string {
  const byNode = `process.getBuiltinModule("node:module").createRequire(${JSON.stringify(entry)})`;
  const asked = `(own, byNode) => Object.assign((name) => (/^scope-engine(\\/|$)/.test(name) ? byNode : own)(name), own)`;
  const [prologue = ""] = /^\s*(["'])use strict\1;?/.exec(code) ?? [];
  return `${prologue}require = (${asked})(require, ${byNode});${code.slice(prologue.length)}`;
}
