/** Apps of this process whose run has failed, and which nobody finalizes: they must not keep their stage for good. */

import { everywhere } from "../base/index.js";
import { liveRoots } from "../contract/index.js";
import type { EngineApp } from "./app-parts.js";
import { engineAppOf } from "./app-parts.js";
import { leaveRun } from "./finalize.js";

/** Ends those of the stage that an app is about to open. */
export async function endLeftBehind(app: EngineApp): Promise<void> {
  const { appName, stage } = app.root;
  const others = liveApps(app).filter(({ root }) => root.appName === appName && root.stage === stage);
  for (const other of others.filter(isLeftBehind)) await end(app, other);
}

/** How to end the app that a session is of; undefined where it is none of these. */
export function leftBehind(app: EngineApp, session: string): (() => Promise<void>) | undefined {
  const other = liveApps(app).find((one) => isLeftBehind(one) && one.ledger.session === session);
  return other && (() => end(app, other));
}

function liveApps(besides: EngineApp): readonly EngineApp[] {
  return [...liveRoots()].map((root) => engineAppOf(root)).filter((app) => app !== besides);
}

/** It has failed or was aborted, and nothing of it is at work that could end, or go on, by itself. */
function isLeftBehind({ generation, runs, isReady, isEnding, opening }: EngineApp): boolean {
  if (!isReady || isEnding || opening?.isOpening || !generation.hasFailed(everywhere)) return false;
  const { running, deleting, deferred } = generation;
  return (
    running.size === 0 &&
    deleting.size === 0 &&
    deferred.running.length === 0 &&
    runs.names.length === 0 &&
    generation.waits.unsettled(everywhere).length === 0
  );
}

async function end(app: EngineApp, other: EngineApp): Promise<void> {
  app.events.warn(
    "NOT_FINALIZED",
    `An earlier run of "${other.root.chain.join("/")}" in this process has failed and was never finalized. It ends now, prunes nothing, and lets go of the stage. Finalize each app, whatever happens, or use engine.up().`,
  );
  await other.dispose(leaveRun).catch(() => {});
}
