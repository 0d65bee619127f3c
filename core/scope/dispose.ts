import { isEngineError } from "../base/index.js";
import { INTERNALS, type Scope } from "../contract/index.js";

/** The end of an `await using`: nothing is pruned by it. */
export async function disposeScope(scope: Scope): Promise<void> {
  if (!scope.parent) return scope[INTERNALS].app.dispose();
  try {
    await scope.finalize();
  } catch (error) {
    // It fails the root's finalize as well; here it would hide an error that is on its way.
    if (!isEngineError(error, "RUN_FAILED")) throw error;
  }
}
