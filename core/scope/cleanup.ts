/** Runs the functions that `onCleanup` and the `cleanup` hook registered. */

import { EngineError, messageOf } from "../base/index.js";
import type { Scope } from "../contract/index.js";
import { type App, appOf, isTooLate, tooLate } from "../run/index.js";

/** Resolves with the errors, each also a warning. */
export async function runCleanup({ cleanup, calls, root, events }: App): Promise<readonly unknown[]> {
  const own = await cleanup.run();
  const tapped = await calls.cleanup.call({ scope: root });
  for (const error of [...own, ...tapped]) events.warn("CLEANUP_FAILED", messageOf(error));
  return [...own, ...tapped];
}

/** The same as far as it waits for nothing, and without hooks. */
export function runCleanupNow({ cleanup, events }: App): void {
  for (const error of cleanup.runNow()) events.warn("CLEANUP_FAILED", messageOf(error));
}

/** `onCleanup()` of a scope. @throws EngineError `INVALID_CALL`, `NO_SCOPE` */
export function addCleanup(scope: Scope, fn: () => unknown): void {
  const app = appOf(scope);
  if (typeof fn !== "function") throw new EngineError("INVALID_CALL", "onCleanup() needs a function.");
  if (isTooLate(app, "live") && !app.cleanupAtExit) throw tooLate(scope, "onCleanup()");
  app.cleanup.add(fn);
}
