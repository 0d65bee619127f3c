import type { Scope } from "../contract/index.js";
import type { App } from "../run/index.js";

/**
 * Lets plugins end what they keep for a scope besides its resources. A plan ends nothing, and of what `target` and `exclude` leave out it
 * is not known whether it is wanted.
 */
export async function tellScope(app: App, hook: "scopePruned" | "scopeDestroyed", scope: Scope): Promise<void> {
  const { performer, bounds } = app.generation;
  if (!performer.acts || bounds.selection || !app.calls[hook].used) return;
  await app.calls[hook].call({ scope });
}
