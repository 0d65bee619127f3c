/** Runs the stages of a fleet in this process. */

import type { Lanes } from "./conductor/conducting.js";
import type { FleetOptions } from "./contract.js";
import type { FleetRecord } from "./record.js";
import { stageRunner } from "./run-stage.js";

type Definition = Pick<FleetOptions<unknown>, "program" | "options" | "histories" | "checkpoints">;

/** @param concurrency number of stages that run at once */
export function localLanes(
  fleet: string,
  definition: Definition,
  record: FleetRecord,
  { concurrency }: { readonly concurrency: number },
): Lanes {
  const runner = stageRunner(fleet, definition, record.store);
  const stop = new AbortController();
  return {
    window: concurrency,
    async run({ command, stage, input }) {
      return runner.run({ command, stage, input: await record.decodeInput(stage, input) }, stop.signal);
    },
    interrupt: () => stop.abort(),
  };
}
