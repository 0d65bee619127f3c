/** Ids that one generation of declarations has used, for commands and for processes. */

import { EngineError } from "../../core/base/index.js";
import { fqnIn, keyIn, type Scope } from "../../core/contract/index.js";
import type { App, Generation } from "../../core/run/index.js";

const used = new WeakMap<Generation, Map<string, "exec" | "spawn">>();

/** @throws EngineError `DUPLICATE_ID` for an id of a process and a command: they would write into one log */
export function claimId({ generation }: App, scope: Scope, id: string, method: "exec" | "spawn"): void {
  const ids = used.get(generation) ?? new Map<string, "exec" | "spawn">();
  used.set(generation, ids);
  const key = keyIn(scope, id);
  const before = ids.get(key) ?? method;
  ids.set(key, before);
  if (before === method) return;
  const fqn = fqnIn(scope, id);
  const message = `"${fqn}" is an id of exec() and of spawn(), which would write into one log. Give one of them another id.`;
  throw new EngineError("DUPLICATE_ID", message, { fqn });
}

/** True where this generation has spawned the process of a key. */
export function isSpawned({ generation }: App, key: string): boolean {
  return used.get(generation)?.get(key) === "spawn";
}
