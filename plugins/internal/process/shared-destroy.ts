/**
 * Applies `--destroy` to all apps that the program has opened when the first of them is destroyed. The engine cannot
 * open the others: running the program would declare the destroyed resources again.
 */
import { platform } from "../../../core/base/index.js";
import type { RunControl } from "../../../core/contract/index.js";
import { endProcess, isLeaving, watchedRuns } from "./process-watch.js";

/** Returns true for an app that is destroyed by an argument of the program, and not by its own option. */
export function isAskedToDestroy({ status: { options } }: RunControl): boolean {
  return options?.phase === "destroy" && options.origins.phase !== undefined;
}

/** Resolves when `engine()` has settled for all other apps that are being destroyed. */
export async function othersOpened(run: RunControl): Promise<void> {
  for (let other = nextOf(run); other; other = nextOf(run)) await other.opened();
}

function nextOf(run: RunControl): RunControl | undefined {
  return [...watchedRuns()].find((other) => other !== run && other.status.isOpening && isAskedToDestroy(other));
}

/**
 * Ends the process when all destroyed apps are gone, and then does not resolve. Resolves if other apps are live, so
 * that the program continues.
 */
export async function endWithOthers(run: RunControl): Promise<void> {
  await othersOpened(run);
  if (!run.status.isAlone) return;
  // On the next turn, so that a rejection of another app's engine() is reported first.
  platform().nextTurn(() => {
    if (isLeaving()) return;
    run.tellEnd();
    endProcess();
  });
  await new Promise<never>(() => {});
}
