/** Ends a run properly when its process ends, gets a signal, or has an uncaught error. */
import { platform } from "../../core/base/index.js";
import type { EnginePlugin, RunControl } from "../../core/contract/index.js";
import { definePlugin } from "../../core/plugin/index.js";
import { exitCodeOf } from "../internal/process/process-end.js";
import { unwatch, watchOver } from "../internal/process/process-watch.js";
import { endWithOthers, isAskedToDestroy, othersOpened } from "../internal/process/shared-destroy.js";

/**
 * Records results and releases the state before the process ends, runs cleanup functions, and ends the process after a
 * `--destroy`. Does nothing for a run with its own `argv`: there, the embedding program is in charge.
 */
export function processExit(): EnginePlugin {
  return definePlugin({
    name: "process-exit",
    apply({ hooks, events, control }) {
      let isWatched = false;
      const onReleased = (): void => {
        // engine() may reject later: see onFailedStart below.
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
          // An uncaught error would interrupt the other apps.
          await othersOpened(control);
        }
        // On the next turn: an uncaught error still needs the handlers.
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
        // The code after engine() would declare the destroyed resources again.
        if (ok && phase === "destroy" && isAskedToDestroy(control) && control.status.isOpening) {
          control.withhold(endWithOthers(control));
        }
        // A failed run keeps the handlers until it has reported its end.
        else if (ok && !control.status.hasCleanup) unwatch(control);
      });
    },
  });
}

/** Removes the handlers on the next turn: an uncaught rejection of the run still needs them. */
function unwatchSoon(control: RunControl): void {
  platform().nextTurn(() => {
    if (!control.status.isLive && !control.status.hasCleanup) unwatch(control);
  });
}
