/** What the lifecycle needs of an app. */
import type { EngineError, Limiter, Preflight, SignalName } from "../base/index.js";
import { INTERNALS, type Scope } from "../contract/index.js";
import type { ScopeHost } from "../scope/index.js";
import type { Generation } from "./generation.js";

/** What the lifecycle needs of an app: one engine at work on one stage. */
export interface App extends ScopeHost {
  readonly generation: Generation;
  readonly limiter: Limiter;
  /** Outputs that resources gave to the program, each with the key of its resource. */
  readonly outputs: WeakMap<object, string>;
  /** Checks before the first handler and the first write of this generation. */
  readonly preflight: Preflight;
  /** True where another run was first and the program is run again: this run is not reported as failed. */
  readonly isToRepeat: boolean;
  /** The signal that ends the process, where one does. */
  readonly endedBy: SignalName | undefined;
  /** No handler starts from now on; running ones get the signal. */
  interrupt(reason: EngineError, by?: "failure" | "request"): void;
}

export function appOf(scope: Scope): App {
  // Nothing else is ever given to a scope.
  return scope[INTERNALS].app as App;
}

/** What was read of all resources before anything was compared (`refresh`). */
export interface Refreshed {
  /** Takes what was read of a resource; undefined where it was not read, or with other options. */
  take(uid: string, scope: Scope): Promise<unknown> | undefined;
}
