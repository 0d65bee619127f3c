/** Hooks that hear of what was done, and can refuse nothing any more. */
import { INTERNALS, type Scope } from "../contract/index.js";
import type { App } from "./app.js";

/**
 * Calls a hook after a resource was changed, or after its handler has failed. A hook that rejects fails the run, and not the resource.
 */
export async function callAfterwards(
  { app, scope }: { readonly app: App; readonly scope: Scope },
  call: () => Promise<void>,
): Promise<void> {
  try {
    await call();
  } catch (error) {
    app.generation.fail(scope[INTERNALS].path, error);
  }
}

/**
 * Lets plugins end what they keep for a scope besides its resources. A plan ends nothing, and of what `target` and `exclude` leave out it
 * is not known whether it is wanted.
 */
export async function callScopeHook(app: App, hook: "scopePruned" | "scopeDestroyed", scope: Scope): Promise<void> {
  const { performer, bounds } = app.generation;
  if (!performer.acts || bounds.selection || !app.calls[hook].used) return;
  await app.calls[hook].call({ scope });
}
