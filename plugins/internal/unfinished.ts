/** Runs that the program leaves in their midst: whatever has started it is to know, e.g. the job of a pipeline. */

import { platform } from "../../core/base/index.js";
import type { RunControl } from "../../core/contract/index.js";
import { hasHost } from "../../core/plugin/index.js";
import { tell } from "./tell.js";

/** Fails the process where something has started the program. */
export function failUnfinished(runs: Iterable<RunControl>): readonly RunControl[] {
  const isUnfinished = (run: RunControl): boolean =>
    run.isLive && !run.isOpening && !run.isLook && run.options?.phase !== "read";
  const unfinished = [...runs].filter(isUnfinished);
  if (hasHost() && unfinished.length > 0) platform().process.exitCode ||= 1;
  return unfinished;
}

/** The program has called `process.exit()`: nothing can be done any more, but to say so. */
export function tellUnfinished(runs: Iterable<RunControl>): void {
  for (const { options } of failUnfinished(runs)) {
    const left = options?.plan
      ? "no plan was made"
      : "nothing was pruned, what was done last may not be recorded, and a lock that it holds is left to the next run";
    tell(
      `warning  The program ends by process.exit() before finalize() of the stage "${options?.stage}": ${left}. Await finalize() first, and set process.exitCode in place of process.exit(). [NOT_FINALIZED]`,
    );
  }
}
