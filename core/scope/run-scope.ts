import { EngineError } from "../base/index.js";
import { INTERNALS, type Scope } from "../contract/index.js";
import { claimFormerPaths } from "./former-paths.js";
import { hostOf } from "./host.js";
import { runIn } from "./scope-runs.js";

/** Runs a function with a scope as the current one; in a finalized app, as a new generation of declarations. */
export async function runScope<T, S extends Scope>(scope: S, fn: (scope: S) => Promise<T> | T): Promise<T> {
  if (typeof fn !== "function")
    throw new EngineError(
      "INVALID_CALL",
      "scope.run(fn) and app.run(fn) need a function, and no name: a child scope is made by engine.run(name, fn).",
    );
  const app = hostOf(scope);
  const reviving = app.revive();
  if (reviving !== undefined) await reviving;
  return app.runs.track(scope.chain.join("/"), async (run) => {
    await app.ready();
    rejoin(scope);
    return runIn(scope, run, fn);
  });
}

/** A scope that a program kept from an earlier generation takes its place among its parent's children again. */
function rejoin(scope: Scope): void {
  const { parent } = scope;
  const isOwnOfHandler = scope[INTERNALS].resource !== parent?.[INTERNALS].resource;
  if (!parent || isOwnOfHandler || parent.children.has(scope.name)) return;
  claimFormerPaths(hostOf(scope), scope);
  parent.children.set(scope.name, scope);
  rejoin(parent);
}
