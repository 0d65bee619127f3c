/** Commands and processes that programs start: what `exec` and `spawn` of a scope do. */

import { existsSync } from "node:fs";
import { below } from "../../core/base/index.js";
import { type EnginePlugin, INTERNALS, type ScopeContext } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { type App, appOf } from "../../core/run/index.js";
import { scopeAt } from "../../core/scope/index.js";
import type { ListedProcess } from "./kept/list.js";
import { isSpawned, recordsOf } from "./process-paths.js";
import { execCall, spawnCall } from "./spawn.js";

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

/** What the program no longer spawns, in a scope and those in it; like resources, it stays where orphans do. */
async function pruneProcesses({ scope }: ScopeContext): Promise<void> {
  await endOrphans(appOf(scope), scope[INTERNALS].path);
}

/**
 * What runs under the earlier names of a scope, which might hold what its processes need, a port for instance: they are started anew. A
 * plan ends nothing, and of what `target` and `exclude` leave out it is not known whether it is wanted.
 */
async function pruneFormer({ scope }: ScopeContext): Promise<void> {
  const app = appOf(scope);
  const { phase, plan } = app.options;
  if (phase !== "up" || plan || app.run.bounds.selection) return;
  for (const path of scope[INTERNALS].formerPaths) await endOrphans(app, path);
}

/** All that was spawned in a scope and those in it. */
async function destroyProcesses({ scope }: ScopeContext): Promise<void> {
  const app = appOf(scope);
  await end(app, await processesBelow(app, scope[INTERNALS].path));
}

async function endOrphans(app: App, path: string): Promise<void> {
  const all = await processesBelow(app, path);
  const orphans = all.filter((one) => !isSpawned(app, one.path === "" ? one.id : `${one.path}/${one.id}`));
  await end(
    app,
    orphans.filter((one) => scopeAt(app, one.path).destroyOrphans),
  );
}

/** Those of resources are deleted with these. */
async function processesBelow(app: App, path: string): Promise<readonly ListedProcess[]> {
  const { appName, stage, rootDir } = app.root;
  const folder = recordsOf({ rootDir, app: appName, stage });
  // Few programs start processes: what it takes to see to them is loaded where one has.
  if (!existsSync(folder)) return [];
  const { recordsBelow } = await import("./kept/list.js");
  const inside = below(path);
  return (await recordsBelow(folder)).filter((one) => one.keeper === "run" && inside(one.path));
}

async function end(app: App, processes: readonly ListedProcess[]): Promise<void> {
  if (processes.length === 0) return;
  const [{ stopAll }, { emitEnd: tellEnd }] = await Promise.all([
    import("./kept/list.js"),
    import("./kept/lifetime.js"),
  ]);
  for (const one of await stopAll(processes)) tellEnd(app, one);
}
