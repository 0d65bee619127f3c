/** Commands and processes that programs start: what `exec` and `spawn` of a scope do. */
import type { EnginePlugin } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { execCall } from "./exec.js";
import { destroyProcesses, pruneFormer, pruneProcesses } from "./prune-processes.js";
import { spawnCall } from "./spawn.js";

/**
 * Runs commands by `scope.exec` and keeps processes by `scope.spawn`, on this machine. What a program no longer spawns ends at
 * finalize; what was spawned in a scope, when that is destroyed.
 */
export function processes(): EnginePlugin {
  const name = "processes";
  return definePlugin({
    name,
    apply({ hooks }) {
      hooks.scopeCreated.tapPromise(name, pruneFormer);
      hooks.exec.tap(name, execCall);
      hooks.spawn.tap(name, spawnCall);
      hooks.scopePruned.tapPromise(name, pruneProcesses);
      hooks.scopeDestroyed.tapPromise(name, destroyProcesses);
    },
  });
}
