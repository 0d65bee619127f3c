/** `engine.destroy()`. */
import { callSiteOf } from "../base/index.js";
import { currentScope, isPendingResource, Scope } from "../contract/index.js";
import { destroyTarget } from "../destroy/index.js";
import { engineAppOf } from "./app-parts.js";

export async function destroy(...targets: readonly unknown[]): Promise<void> {
  // A target that is not there, such as a misspelt name in app.resources, must not stand for everything.
  const target = targets.length === 0 ? currentScope() : targets[0];
  const scope = scopeOf(target);
  const site = callSiteOf(destroy);
  try {
    await destroyTarget(scope, target, site);
  } catch (error) {
    throw engineAppOf(scope).safe(error);
  }
}

function scopeOf(target: unknown): Scope {
  if (target instanceof Scope) return target;
  return isPendingResource(target) ? target.scope : currentScope();
}
