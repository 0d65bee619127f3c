/** Commands and processes that programs start with `exec` and `spawn` of a scope. */

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
 * Runs commands for `scope.exec` and keeps processes for `scope.spawn`, on this machine. A process that the program no
 * longer spawns ends at finalize. The processes of a scope end when it is destroyed.
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

/**
 * Ends the processes in a scope that the program no longer spawns. Like resources, they stay if the scope keeps
 * orphans.
 */
async function pruneProcesses({ scope }: ScopeContext): Promise<void> {
  await endOrphans(appOf(scope), scope[INTERNALS].path);
}

/**
 * Ends the processes under former names of a scope, because they may hold e.g. a port that its new processes need. A
 * plan ends nothing. With `target` or `exclude` nothing is ended, because it is unknown which processes are still
 * needed.
 */
async function pruneFormer({ scope }: ScopeContext): Promise<void> {
  const app = appOf(scope);
  const { phase, plan } = app.options;
  if (phase !== "up" || plan || app.run.bounds.selection) return;
  for (const path of scope[INTERNALS].formerPaths) await endOrphans(app, path);
}

/** Ends all processes of a scope and of the scopes in it. */
async function destroyProcesses({ scope }: ScopeContext): Promise<void> {
  const app = appOf(scope);
  await endAndEmit(app, await processesBelow(app, scope[INTERNALS].path));
}

async function endOrphans(app: App, path: string): Promise<void> {
  const all = await processesBelow(app, path);
  const orphans = all.filter((one) => !isSpawned(app, one.path === "" ? one.id : `${one.path}/${one.id}`));
  await endAndEmit(
    app,
    orphans.filter((one) => scopeAt(app, one.path).destroyOrphans),
  );
}

/** Lists the spawned processes of a scope. Processes of resources are deleted with their resources. */
async function processesBelow(app: App, path: string): Promise<readonly ListedProcess[]> {
  const { appName, stage, rootDir } = app.root;
  const folder = recordsOf({ rootDir, app: appName, stage });
  // Few programs start processes, so the code is loaded only if there are some.
  if (!existsSync(folder)) return [];
  const { recordsBelow } = await import("./kept/list.js");
  const inside = below(path);
  return (await recordsBelow(folder)).filter((one) => one.keeper === "run" && inside(one.path));
}

async function endAndEmit(app: App, processes: readonly ListedProcess[]): Promise<void> {
  if (processes.length === 0) return;
  const [{ stopAll }, { emitEnd }] = await Promise.all([import("./kept/list.js"), import("./kept/lifetime.js")]);
  for (const one of await stopAll(processes)) emitEnd(app, one);
}
