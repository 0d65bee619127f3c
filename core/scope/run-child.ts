import { EngineError } from "../base/index.js";
import { currentScope, fqnIn, INTERNALS, type Scope, type ScopeOptions } from "../contract/index.js";
import { childScope } from "./child.js";
import { hostOf } from "./host.js";
import { runIn } from "./scope-runs.js";

/** `engine.run()`: runs a function in a child of the current scope. */
export async function runChild<T>(
  name: string,
  ...rest: [fn: (scope: Scope) => Promise<T> | T] | [options: ScopeOptions, fn: (scope: Scope) => Promise<T> | T]
): Promise<T> {
  const [options, fn] = rest.length === 1 ? [{}, rest[0]] : rest;
  if (typeof fn !== "function")
    throw new EngineError("INVALID_CALL", "engine.run(name, [options], fn) needs a function.");
  const parent = currentScope();
  const app = hostOf(parent);
  return app.runs.track(fqnIn(parent, String(name)), async (run) =>
    runIn(await makeChild(parent, name, options), run, fn),
  );
}

/** A child that is refused fails the scope that it was to be in. */
async function makeChild(parent: Scope, name: string, options: ScopeOptions): Promise<Scope> {
  const app = hostOf(parent);
  const { path, resource } = parent[INTERNALS];
  try {
    return await childScope(parent, name, options);
  } catch (thrown) {
    const error = app.safe(thrown);
    app.generation.fail(path, error, resource?.key);
    throw error;
  }
}
