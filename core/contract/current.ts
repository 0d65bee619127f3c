/** Which scope the running code belongs to. */

import { AsyncLocalStorage } from "node:async_hooks";
import { EngineError, perProcess, processWide } from "../base/index.js";
import { INTERNALS } from "./internals.js";
import type { Scope } from "./scope.js";

/**
 * That a function runs in a scope. Promises, timers and sockets keep the context that they were made in for as long as they live,
 * so it leads to the scope only while the app is live.
 */
interface Presence {
  readonly tenure: Tenure;
  /** The call of `run` that it came by, where it did. */
  readonly run?: ScopeRun;
  /** The next one around it that came by a call of `run` which had not ended. */
  readonly outer?: Presence;
}

/** The time that an app is live. */
interface Tenure {
  /** The scopes of the contexts; emptied when it ends. */
  scopes: WeakMap<Presence, Scope>;
}

const presence = processWide("presence@2", () => new AsyncLocalStorage<Presence | undefined>());
const tenures = processWide("tenures@1", () => new WeakMap<Scope, Tenure>());

/** Root scopes from `engine()` to the end of `finalize()`. */
const live = perProcess("live-roots@1", () => new Set<Scope>());

/**
 * Takes the code that follows out of the scope that it runs in: its current scope is the only live app. Must be called before the
 * caller's first await.
 */
export function leaveScopes(): void {
  presence.enterWith(undefined);
}

/** Runs a function that is not to be kept by, or to keep, the scope of its caller. */
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

/** Leaves out what has ended: a program that begins each run inside of the last one would build an endless chain. */
function enclosing(): Presence | undefined {
  let present = presence.getStore();
  while (present && (!present.run || present.run.hasEnded)) present = present.outer;
  return present;
}

/** The calls of `run` that the calling code is a part of. */
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

/** The root scopes of all apps of the process that are live. */
export function liveRoots(): ReadonlySet<Scope> {
  return live();
}

/** True for code that `run` runs, or a handler, in an app that is live. */
export function isRunningIn(root: Scope): boolean {
  return scopeOfContext()?.root === root && isLive(root);
}

/** True for code of a handler of that app. */
export function isInHandler(root: Scope): boolean {
  return handlerOf(root) !== undefined;
}

/** Key of the resource whose handler the calling code is a part of; undefined outside of the handlers of that app. */
export function handlerOf(root: Scope): string | undefined {
  return resourceOfContext(root)?.key;
}

/** As {@link handlerOf}, while that handler runs: what it has left behind is no part of it any more. */
export function runningHandlerOf(root: Scope): string | undefined {
  const resource = resourceOfContext(root);
  return resource?.slot.hasEnded === false ? resource.key : undefined;
}

function resourceOfContext(root: Scope) {
  const scope = scopeOfContext();
  return scope?.root === root ? scope[INTERNALS].resource : undefined;
}

/**
 * The scope of the async context if its app is live, else the only live app of the process.
 *
 * @throws EngineError `NO_SCOPE` without a live app, `AMBIGUOUS_SCOPE` where several live apps could be meant
 */
export function currentScope(): Scope {
  const scope = scopeOfContext();
  if (scope && isLive(scope.root)) return scope;
  const [first, second] = live();
  if (first && !second) return first;
  if (!first) {
    throw new EngineError(
      "NO_SCOPE",
      "No app is live here. Call engine() first; a finalized app is reached by app.run(fn).",
    );
  }
  const names = [...live()].map((root) => `"${root.appName}/${root.stage}"`).join(", ");
  throw new EngineError(
    "AMBIGUOUS_SCOPE",
    `Several apps are live (${names}), so it is not clear which one is meant. Use app.run(async () => { … }).`,
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
