/**
 * A `--destroy` is for all apps of the program: for those, at least, that it has opened when the first of them is gone.
 * To open the others it would have to be run, and it would declare what has just been destroyed.
 */
import { platform } from "../../../core/base/index.js";
import type { RunControl } from "../../../core/contract/index.js";
import { endProcess, isLeaving, watchedRuns } from "./process-watch.js";

/** True for an app that is destroyed for whoever has started the program, and not by its own choice. */
export function isAskedToDestroy({ status: { options } }: RunControl): boolean {
  return options?.phase === "destroy" && options.origins.phase !== undefined;
}

/** Resolves when `engine()` has done its work for all apps that are being destroyed beside this one. */
export async function othersOpened(run: RunControl): Promise<void> {
  for (let other = nextOf(run); other; other = nextOf(run)) await other.opened();
}

function nextOf(run: RunControl): RunControl | undefined {
  return [...watchedRuns()].find((other) => other !== run && other.status.isOpening && isAskedToDestroy(other));
}

/**
 * Ends the process when all apps that are being destroyed are gone; does not resolve then. Resolves where other apps
 * are live, so that the program has to go on.
 */
export async function endWithOthers(run: RunControl): Promise<void> {
  await othersOpened(run);
  if (!run.status.isAlone) return;
  // Not at once: what another app's engine() rejects with is to be heard before.
  platform().nextTurn(() => {
    if (isLeaving()) return;
    run.tellEnd();
    endProcess();
  });
  await new Promise<never>(() => {});
}
