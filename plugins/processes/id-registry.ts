/** Ids that one generation of declarations has used, for commands and for processes. */

import { EngineError, type PlatformName } from "../../core/base/index.js";
import { fqnIn, keyIn, type Scope } from "../../core/contract/index.js";
import type { App, Generation } from "../../core/run/index.js";

type Method = "exec" | "spawn";

const used = new WeakMap<Generation, Map<string, Method>>();
/** Keys by their small letters, where a disk may take capital ones for the same. */
const spellings = new WeakMap<Generation, Map<string, string>>();

/** @throws EngineError `DUPLICATE_ID` for two that would write into one log: a process and a command, or two spellings of a name */
export function claimId(
  { generation }: Pick<App, "generation">,
  scope: Scope,
  id: string,
  method: Method,
  platform: PlatformName = process.platform,
): void {
  const key = keyIn(scope, id);
  const before = claimIn(used, generation, key, method);
  if (before !== method) throw duplicate(fqnIn(scope, id), "is an id of exec() and of spawn()");
  if (platform !== "darwin" && platform !== "win32") return;
  const other = claimIn(spellings, generation, key.toLowerCase(), key);
  if (other !== key) throw duplicate(fqnIn(scope, id), `differs from "${other}" in capital letters alone`);
}

/** The value that was first. */
function claimIn<T>(all: WeakMap<Generation, Map<string, T>>, generation: Generation, key: string, value: T): T {
  const values = all.get(generation) ?? new Map<string, T>();
  all.set(generation, values);
  const first = values.get(key) ?? value;
  values.set(key, first);
  return first;
}

function duplicate(fqn: string, what: string): EngineError {
  const message = `"${fqn}" ${what}, which would write into one log. Give one of them another id.`;
  return new EngineError("DUPLICATE_ID", message, { fqn });
}

/** True where this generation has spawned the process of a key. */
export function isSpawned({ generation }: App, key: string): boolean {
  return used.get(generation)?.get(key) === "spawn";
}
