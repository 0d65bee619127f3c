/** What happens to a run when its process ends, is told to end, or meets an error that nobody caught. */
import { platform } from "../../core/base/index.js";
import type { EnginePlugin, RunControl } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { exitCodeOf } from "../internal/process/process-end.js";
import { unwatch, watchOver } from "../internal/process/process-watch.js";
import { endWithOthers, isAskedToDestroy, othersOpened } from "../internal/process/shared-destroy.js";

/**
 * Records results and lets go of the state before the process ends, runs cleanup functions, and ends the process after
 * a `--destroy`. Does nothing for a run that is given its own `argv`: there, an embedding program is in charge.
 */
export function processExit(): EnginePlugin {
  return definePlugin({
    name: "process-exit",
    apply({ hooks, events, control }) {
      let isWatched = false;
      const onReleased = (): void => {
        // What engine() rejects with may come later: see below.
        if (!control.status.isOpening) unwatchSoon(control);
      };
      hooks.options.tap("process-exit", (context) => {
        isWatched = context.options.argv === undefined;
        if (isWatched) watchOver(control);
        return context;
      });
      control.onFailedStart(async (error) => {
        if (isWatched && isAskedToDestroy(control)) {
          platform().process.exitCode ||= exitCodeOf([error]);
          // An error that nobody catches would interrupt them.
          await othersOpened(control);
        }
        // Not at once: an error that nobody catches has to find the handlers in place.
        platform().nextTurn(() => unwatch(control));
      });
      events.on("run:started", () => {
        if (!isWatched) return;
        watchOver(control);
        control.takeOverCleanup(() => watchOver(control));
        control.onReleased(onReleased);
      });
      events.on("run:finished", ({ phase, ok, summary }) => {
        if (!isWatched) return;
        if (!ok) platform().process.exitCode ||= exitCodeOf(control.status.errors);
        else if (summary.left > 0) platform().process.exitCode ||= 1;
        // The program behind engine() would declare what has just been destroyed.
        if (ok && phase === "destroy" && isAskedToDestroy(control) && control.status.isOpening) {
          control.withhold(endWithOthers(control));
        }
        // A failed run keeps them until it has told how it ended.
        else if (ok && !control.status.hasCleanup) unwatch(control);
      });
    },
  });
}

/** Not at once: what a run rejects with has to find the handlers in place, if nobody catches it. */
function unwatchSoon(control: RunControl): void {
  platform().nextTurn(() => {
    if (!control.status.isLive && !control.status.hasCleanup) unwatch(control);
  });
}
