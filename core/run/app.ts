/** What the lifecycle needs of an app: one engine at work on one stage. */

import type { EngineError, Limiter, Preflight, SignalName } from "../base/index.js";
import { INTERNALS, type Scope } from "../contract/index.js";
import type { ScopeHost } from "../scope/index.js";
import type { Generation } from "./generation.js";

export interface App extends ScopeHost {
  readonly generation: Generation;
  readonly limiter: Limiter;
  /** Outputs that resources gave to the program, each with the key of its resource. */
  readonly outputs: WeakMap<object, string>;
  /** In front of handlers and writes of this generation. */
  readonly preflight: Preflight;
  /** It was asked, and is: nobody is told that this run has failed. */
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

/** What a look at everything has found, before anything was compared. */
export interface Refreshed {
  /** Of a resource, once; undefined where nobody has looked, or somewhere else. */
  take(uid: string, scope: Scope): Promise<unknown> | undefined;
}
