/** Runs functions in scopes: in an existing scope, in a child of the current one, and deferred functions. */
import { EngineError, messageOf, readable } from "../base/index.js";
import {
  currentScope,
  fqnIn,
  handlerOf,
  INTERNALS,
  runInScope,
  type Scope,
  type ScopeOptions,
  type ScopeRun,
} from "../contract/index.js";
import { type App, appOf, isTooLate, tooLate } from "../run/index.js";
import { attachScope, childScope, claimFormerPaths } from "./child.js";

/** Runs a function with a scope as the current one; in a finalized app, as a new run. */
export async function runScope<T, S extends Scope>(scope: S, fn: (scope: S) => Promise<T> | T): Promise<T> {
  if (typeof fn !== "function")
    throw new EngineError(
      "INVALID_CALL",
      "scope.run(fn) and app.run(fn) need a function and take no name. To run in a child scope, call engine.run(name, fn).",
    );
  const app = appOf(scope);
  const reviving = app.revive();
  if (reviving !== undefined) await reviving;
  return app.run.scopeRuns.track(scope.chain.join("/"), async (run) => {
    await app.ready();
    rejoin(scope);
    return runIn(scope, run, fn);
  });
}

/** Attaches a scope that a program kept from an earlier run to its parent again. */
function rejoin(scope: Scope): void {
  const { parent } = scope;
  const isOwnOfHandler = scope[INTERNALS].resource !== parent?.[INTERNALS].resource;
  if (!parent || isOwnOfHandler || parent.children.has(scope.name)) return;
  claimFormerPaths(appOf(scope), scope);
  attachScope(parent, scope);
  rejoin(parent);
}

/** Implements `engine.run()`: runs a function in a child of the current scope. */
export async function runChild<T>(
  name: string,
  ...rest: [fn: (scope: Scope) => Promise<T> | T] | [options: ScopeOptions, fn: (scope: Scope) => Promise<T> | T]
): Promise<T> {
  const [options, fn] = rest.length === 1 ? [{}, rest[0]] : rest;
  if (typeof fn !== "function")
    throw new EngineError("INVALID_CALL", "engine.run(name, [options], fn) needs a function.");
  const parent = currentScope();
  const app = appOf(parent);
  return app.run.scopeRuns.track(fqnIn(parent, String(name)), async (run) =>
    runIn(await makeChild(parent, name, options), run, fn),
  );
}

/** Creates a child scope; a refusal fails the parent. */
async function makeChild(parent: Scope, name: string, options: ScopeOptions): Promise<Scope> {
  const app = appOf(parent);
  const { path, resource } = parent[INTERNALS];
  try {
    return await childScope(parent, name, options);
  } catch (thrown) {
    const error = app.safe(thrown);
    app.run.fail(path, error, resource?.key);
    throw error;
  }
}

/** Runs a function with a scope as the current one; a rejection fails the scope. */
async function runIn<T, S extends Scope>(scope: S, run: ScopeRun, fn: (scope: S) => Promise<T> | T): Promise<T> {
  const { path, resource } = scope[INTERNALS];
  try {
    return await runInScope(scope, () => fn(scope), run);
  } catch (thrown) {
    const error = readable(thrown);
    appOf(scope).run.fail(path, error, resource?.key);
    throw error;
  }
}

/** Implements `defer()` of a scope. @throws EngineError `INVALID_CALL`, `NO_SCOPE` */
export function deferIn<T>(scope: Scope, fn: () => Promise<T> | T): Promise<T> {
  const app = appOf(scope);
  const { path } = scope[INTERNALS];
  if (typeof fn !== "function") throw new EngineError("INVALID_CALL", "defer() needs a function.");
  const home = handlerOf(scope.root);
  // In a handler that only settles an interrupted create for a delete, no code waits for it any more.
  if (app.isLive && home !== undefined && app.run.isSettling(home)) return new Promise(() => {});
  if (isTooLate(app, "declare")) throw tooLate(scope, "defer()");
  const result = app.run.deferred.add(path, () => runInScope(scope, fn), home);
  // The program need not await it: finalize reports its failure.
  result.catch(() => {});
  return result;
}

/** Runs the functions of `onCleanup` and the `cleanup` hook. Resolves with the errors, each also a warning. */
export async function runCleanup({ cleanup, calls, root, events }: App): Promise<readonly unknown[]> {
  const own = await cleanup.run();
  const tapped = await calls.cleanup.call({ scope: root });
  for (const error of [...own, ...tapped]) events.warn("CLEANUP_FAILED", messageOf(error));
  return [...own, ...tapped];
}

/** Runs their synchronous part, without hooks. */
export function runCleanupNow({ cleanup, events }: App): void {
  for (const error of cleanup.runNow()) events.warn("CLEANUP_FAILED", messageOf(error));
}

/** Implements `onCleanup()` of a scope. @throws EngineError `INVALID_CALL`, `NO_SCOPE` */
export function addCleanup(scope: Scope, fn: () => unknown): void {
  const app = appOf(scope);
  if (typeof fn !== "function") throw new EngineError("INVALID_CALL", "onCleanup() needs a function.");
  if (isTooLate(app, "live") && !app.cleanupAtExit) throw tooLate(scope, "onCleanup()");
  app.cleanup.add(fn);
}
