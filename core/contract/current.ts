/** The scope that the running code belongs to. */

import { AsyncLocalStorage } from "node:async_hooks";
import { EngineError, perProcess, processWide } from "../base/index.js";
import { INTERNALS } from "./internals.js";
import type { Scope } from "./scope.js";

/**
 * A function's membership in a scope. Promises, timers and sockets keep the context in which they were made for as long
 * as they live, so it leads to the scope only while the app is live.
 */
interface Presence {
  readonly tenure: Tenure;
  /** The call of `run` that created it, if any. */
  readonly run?: ScopeRun;
  /** The nearest enclosing presence that was created by a call of `run` which had not ended. */
  readonly outer?: Presence;
}

/** The period in which an app is live. */
interface Tenure {
  /** Scopes by context; emptied at the end of the period. */
  scopes: WeakMap<Presence, Scope>;
}

const presence = processWide("presence@2", () => new AsyncLocalStorage<Presence | undefined>());
const tenures = processWide("tenures@1", () => new WeakMap<Scope, Tenure>());

/** Root scopes from `engine()` to the end of `finalize()`. */
const live = perProcess("live-roots@1", () => new Set<Scope>());

/**
 * Detaches the following code from its scope: its current scope becomes the only live app. Must be called before the
 * caller's first await.
 */
export function leaveScopes(): void {
  presence.enterWith(undefined);
}

/** Runs a function outside its caller's scope, so that neither keeps the other in memory. */
export function runOutsideScopes<T>(fn: () => T): T {
  return presence.run(undefined, fn);
}

export function runInScope<T>(scope: Scope, fn: () => T, run?: ScopeRun): T {
  const tenure = tenureOf(scope.root);
  const present: Presence = { tenure, run, outer: enclosing() };
  tenure.scopes.set(present, scope);
  return presence.run(present, fn);
}

function tenureOf(root: Scope): Tenure {
  const tenure = tenures.get(root) ?? { scopes: new WeakMap() };
  tenures.set(root, tenure);
  return tenure;
}

function scopeOfContext(): Scope | undefined {
  const present = presence.getStore();
  return present?.tenure.scopes.get(present);
}

/**
 * Skips calls of `run` that have ended: a program that begins each run inside the last one would build an endless
 * chain.
 */
function enclosing(): Presence | undefined {
  let present = presence.getStore();
  while (present && (!present.run || present.run.hasEnded)) present = present.outer;
  return present;
}

/** Returns the calls of `run` that the calling code is a part of. */
export function enclosingRuns(): readonly ScopeRun[] {
  const runs: ScopeRun[] = [];
  for (let present = presence.getStore(); present; present = present.outer) {
    if (present.run) runs.push(present.run);
  }
  return runs;
}

export function setLive(root: Scope, isLiveNow: boolean): void {
  if (isLiveNow) {
    live().add(root);
    return;
  }
  live().delete(root);
  const tenure = tenures.get(root);
  if (!tenure) return;
  tenure.scopes = new WeakMap();
  tenures.delete(root);
}

export function isLive(root: Scope): boolean {
  return live().has(root);
}

/** Returns the root scopes of all live apps of the process. */
export function liveRoots(): ReadonlySet<Scope> {
  return live();
}

/** True for code in a handler, or in a function passed to `run`, of a live app. */
export function isRunningIn(root: Scope): boolean {
  return scopeOfContext()?.root === root && isLive(root);
}

/** True for code of a handler of that app. */
export function isInHandler(root: Scope): boolean {
  return handlerOf(root) !== undefined;
}

/** Returns the key of the resource whose handler is the calling code, or undefined outside handlers of that app. */
export function handlerOf(root: Scope): string | undefined {
  return resourceOfContext(root)?.key;
}

/**
 * Returns the same as {@link handlerOf}, but only while that handler runs; background work that it left does not count.
 */
export function runningHandlerOf(root: Scope): string | undefined {
  const resource = resourceOfContext(root);
  return resource?.slot.hasEnded === false ? resource.key : undefined;
}

function resourceOfContext(root: Scope) {
  const scope = scopeOfContext();
  return scope?.root === root ? scope[INTERNALS].resource : undefined;
}

/**
 * Returns the scope of the async context if its app is live, otherwise the only live app of the process.
 *
 * @throws EngineError `NO_SCOPE` without a live app, `AMBIGUOUS_SCOPE` if several live apps could be meant
 */
export function currentScope(): Scope {
  const scope = scopeOfContext();
  if (scope && isLive(scope.root)) return scope;
  const [first, second] = live();
  if (first && !second) return first;
  if (!first) {
    throw new EngineError(
      "NO_SCOPE",
      "No app is live here. Call engine() first. To reach a finalized app, call app.run(fn).",
    );
  }
  const names = [...live()].map((root) => `"${root.appName}/${root.stage}"`).join(", ");
  throw new EngineError(
    "AMBIGUOUS_SCOPE",
    `Several apps are live (${names}), so the engine cannot tell which one you mean. Use app.run(async () => { … }).`,
  );
}

/** One call of `run`. */
export interface ScopeRun {
  /** Name of the scope, for messages. */
  readonly name: string;
  readonly over: Promise<void>;
  readonly hasEnded: boolean;
  end(): void;
}
