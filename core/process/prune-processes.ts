/** Ending the processes of a stage that no run wants any more. */
import { existsSync } from "node:fs";
import type { App } from "../run/index.js";
import { scopeAt } from "../scope/index.js";
import { isSpawned } from "./claims.js";
import type { ListedProcess } from "./kept/list.js";
import { recordsOf } from "./places.js";

/** What the program no longer spawns, in the scopes below a path; like resources, it stays where orphans do. */
export async function pruneProcesses(app: App, isBelow: (path: string) => boolean): Promise<void> {
  const all = await processesOf(app, isBelow);
  const orphans = all.filter(({ path, id }) => !isSpawned(app, path === "" ? id : `${path}/${id}`));
  await end(
    app,
    orphans.filter(({ path }) => scopeAt(app, path).destroyOrphans),
  );
}

/** All that was spawned in the scopes below a path. */
export async function destroyProcesses(app: App, isBelow: (path: string) => boolean): Promise<void> {
  await end(app, await processesOf(app, isBelow));
}

/** Those of resources are deleted with these. */
async function processesOf(app: App, isBelow: (path: string) => boolean): Promise<readonly ListedProcess[]> {
  const { planner, bounds } = app.generation;
  // A plan ends nothing, and of what is left out nothing is said.
  if (planner || bounds.selection) return [];
  const { appName, stage, rootDir } = app.root;
  const folder = recordsOf({ rootDir, app: appName, stage });
  // Few programs start processes: what it takes to see to them is loaded where one has.
  if (!existsSync(folder)) return [];
  const { recordsBelow } = await import("./kept/list.js");
  const all = await recordsBelow(folder);
  return all.filter(({ keeper, path }) => keeper === "run" && isBelow(path));
}

async function end(app: App, processes: readonly ListedProcess[]): Promise<void> {
  if (processes.length === 0) return;
  const [{ stopAll }, { tellEnd }] = await Promise.all([import("./kept/list.js"), import("./kept/life.js")]);
  for (const one of await stopAll(processes)) tellEnd(app, one);
}
