/** Which scope the running code belongs to. */
import { AsyncLocalStorage } from "node:async_hooks";
import { EngineError } from "../errors.js";
import { perProcess } from "../platform.js";
import { processWide } from "../process-wide.js";
import { INTERNALS } from "./internals.js";
import type { Scope } from "./scope.js";
import type { ScopeRun } from "./scope-runs.js";

/** How a scope came to be the context's: `engine()` enters one for what follows, `run` one for a function. */
interface Presence {
  readonly scope: Scope;
  readonly how: "entered" | "run";
  /** The call of `run` that it came by, where it did. */
  readonly run?: ScopeRun;
  /** The next one around it that came by a call of `run` which had not ended. */
  readonly outer?: Presence;
}

const presence = processWide("presence@1", () => new AsyncLocalStorage<Presence>());

/** Root scopes from `engine()` to the end of `finalize()`. */
const live = perProcess("live-roots@1", () => new Set<Scope>());

/** Makes a root the current scope of the code that follows. Must be called before the caller's first await. */
export function enterScope(root: Scope): void {
  presence.enterWith({ scope: root, how: "entered" });
}

export function runInScope<T>(scope: Scope, fn: () => T, run?: ScopeRun): T {
  return presence.run({ scope, how: "run", run, outer: enclosing() }, fn);
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
  if (isLiveNow) live().add(root);
  else live().delete(root);
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
  const present = presence.getStore();
  return present?.how === "run" && present.scope.root === root && isLive(root);
}

/** True for code of a handler of that app. */
export function isInHandler(root: Scope): boolean {
  return handlerOf(root) !== undefined;
}

/** Key of the resource whose handler the calling code is a part of; undefined outside of the handlers of that app. */
export function handlerOf(root: Scope): string | undefined {
  const scope = presence.getStore()?.scope;
  return scope?.root === root ? scope[INTERNALS].resource?.key : undefined;
}

/**
 * The scope of the async context if its app is live, else the only live app of the process.
 *
 * @throws EngineError `NO_SCOPE` without a live app, `AMBIGUOUS_SCOPE` where several live apps could be meant
 */
export function currentScope(): Scope {
  const present = presence.getStore();
  if (present && live().has(present.scope.root) && (present.how === "run" || live().size === 1)) {
    return present.scope;
  }
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
