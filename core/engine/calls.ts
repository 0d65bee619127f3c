/** A whole run in one call: opens an app, runs the program in it, and finalizes, or lets go of everything. */
import { callSiteOf, EngineError, monotonicNow, type RunSummary } from "../base/index.js";
import { currentScope, type EngineOptions, isPendingResource, Scope } from "../contract/index.js";
import { destroyTarget } from "../destroy/index.js";
import { type App, appOf } from "../run/index.js";

/** What `engine.up()` resolves with. */
export interface UpResult<T> {
  /** What the program has returned. */
  readonly result: T;
  /** How many resources were created, updated, and so on, in the run that was done. */
  readonly summary: RunSummary;
}

/** @param before called with the app at once, before it starts; the promise rejects as `engine()` does */
export type OpenApp = (options: EngineOptions, before: (app: App) => void) => Promise<App>;

/**
 * Where another run was first, and this one has changed nothing, the program is run again, in an app of its own that opens its
 * session first.
 */
export async function runUp<T>(
  open: OpenApp,
  options: EngineOptions,
  program: (scope: Scope) => Promise<T> | T,
): Promise<UpResult<T>> {
  if (typeof program !== "function")
    throw new EngineError("INVALID_CALL", "engine.up(appName, options, program) needs a function.");
  let given = options;
  for (let deadline: number | undefined; ; ) {
    let made: App | undefined;
    try {
      const app = await open(given, (opening) => {
        made = opening;
        const until = deadline ?? monotonicNow() + opening.options.lockTimeout;
        deadline = until;
        opening.repeats = () => monotonicNow() < until;
      });
      return await through(app, program);
    } catch (error) {
      if (!made?.isToRepeat || deadline === undefined) throw error;
      given = { ...options, lock: "eager", lockTimeout: Math.max(0, deadline - monotonicNow()) };
    }
  }
}

async function through<T>(app: App, program: (scope: Scope) => Promise<T> | T): Promise<UpResult<T>> {
  let result: T;
  try {
    result = await app.root.run(program);
  } catch (error) {
    await app.dispose();
    throw app.safe(error);
  }
  await app.root.finalize();
  return { result, summary: app.run.summary };
}

/** `engine.destroy()`. */
export async function destroy(...targets: readonly unknown[]): Promise<void> {
  // A target that is not there, such as a misspelt name in app.resources, must not stand for everything.
  const target = targets.length === 0 ? currentScope() : targets[0];
  const scope = scopeOf(target);
  const site = callSiteOf(destroy);
  try {
    await destroyTarget(scope, target, site);
  } catch (error) {
    throw appOf(scope).safe(error);
  }
}

function scopeOf(target: unknown): Scope {
  if (target instanceof Scope) return target;
  return isPendingResource(target) ? target.scope : currentScope();
}
