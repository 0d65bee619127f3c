/** A look at a stage, or a change of it, by a tool that needs the plugins of an app which is not open. */

import { NOTHING_DONE } from "../base/index.js";
import type { StateStore } from "../contract/index.js";
import { type EngineApp, siblingOf } from "../engine/index.js";

export interface OwnRun {
  /** What its session is for. Only "show" takes no lock, and writes nothing. */
  readonly command: "show" | "move" | "recover";
  /** Called before the state is loaded. */
  prepare?(own: EngineApp): void;
}

/**
 * Loads the state for another app of the same plugins, which is never live; closes its session when the work is done.
 *
 * @throws EngineError as `engine()` does, and what the work throws
 */
export async function inOwnRun<T>(
  app: EngineApp,
  store: StateStore,
  { command, prepare }: OwnRun,
  work: (own: EngineApp) => Promise<T>,
): Promise<T> {
  const { lockTimeout, signal } = app.options;
  const phase = command === "show" ? "read" : "up";
  // Events as JSON would be among the results of whoever asks.
  const own = siblingOf(app, app.root.appName, {
    phase,
    stateStore: store,
    lockTimeout,
    signal,
    json: false,
    quiet: true,
  });
  try {
    prepare?.(own);
    await own.load({ store, isOwn: false }, command);
    return await workIn(own, work);
  } catch (error) {
    throw own.safe(error);
  } finally {
    await own.release();
  }
}

async function workIn<T>(own: EngineApp, work: (own: EngineApp) => Promise<T>): Promise<T> {
  const { ledger } = own;
  try {
    // What is recorded may be readable only to a plugin that has heard of the scope.
    if (own.calls.scopeCreated.used) await own.calls.scopeCreated.call({ scope: own.root });
    const result = await work(own);
    await ledger.close("done", NOTHING_DONE);
    return result;
  } catch (error) {
    await ledger.close("failed", NOTHING_DONE).catch(() => ledger.letGo());
    throw error;
  }
}
