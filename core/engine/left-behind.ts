/** Apps of this process whose run has failed, and which nobody finalizes: they must not keep their stage for good. */

import { everywhere } from "../base/index.js";
import { liveRoots } from "../contract/index.js";
import { type App, appOf } from "../run/index.js";
import { leaveRun } from "./finalize.js";

/** Ends those of the stage that an app is about to open. */
export async function endLeftBehind(app: App): Promise<void> {
  const { appName, stage } = app.root;
  const others = liveApps(app).filter(({ root }) => root.appName === appName && root.stage === stage);
  for (const other of others.filter(isLeftBehind)) await end(app, other);
}

/** How to end the app that a session is of; undefined where it is none of these. */
export function leftBehind(app: App, session: string): (() => Promise<void>) | undefined {
  const other = liveApps(app).find((one) => isLeftBehind(one) && one.ledger.session === session);
  return other && (() => end(app, other));
}

function liveApps(besides: App): readonly App[] {
  return [...liveRoots()].map((root) => appOf(root)).filter((app) => app !== besides);
}

/** It has failed or was aborted, and nothing of it is at work that could end, or go on, by itself. */
function isLeftBehind({ run, isReady, isEnding, opening }: App): boolean {
  if (!isReady || isEnding || opening?.isOpening || !run.hasFailed(everywhere)) return false;
  const { running, deleting, deferred, scopeRuns } = run;
  return (
    running.size === 0 &&
    deleting.size === 0 &&
    deferred.running.length === 0 &&
    scopeRuns.names.length === 0 &&
    run.waits.unsettled(everywhere).length === 0
  );
}

async function end(app: App, other: App): Promise<void> {
  app.events.warn(
    "NOT_FINALIZED",
    `An earlier run of "${other.root.chain.join("/")}" in this process has failed and was never finalized. It ends now, prunes nothing, and lets go of the stage. Finalize each app, whatever happens, or use engine.up().`,
  );
  await other.dispose(leaveRun).catch(() => {});
}
