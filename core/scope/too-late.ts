import { EngineError } from "../base/index.js";
import type { Scope } from "../contract/index.js";

/** For what comes after the end of a run: nothing would run it, record it or prune it. */
export function tooLate(scope: Scope, what: string): EngineError {
  const name = scope.root.chain.join("/");
  const message = `${what} comes too late: the run of "${name}" has ended. Use app.run(fn) to begin another.`;
  return new EngineError("NO_SCOPE", message);
}
