/** Runs the stages of a fleet in this process. */
import { setMaxListeners } from "node:events";
import type { Lanes } from "./conductor/conducting.js";
import type { FleetOptions, FleetRunOptions } from "./contract.js";
import type { FleetRecord } from "./record.js";
import { stageRunner } from "./run-stage.js";

type Definition = Pick<FleetOptions<unknown>, "program" | "options" | "histories" | "checkpoints">;

/** @param concurrency number of stages that run at once */
export function localLanes(
  fleet: string,
  definition: Definition,
  record: FleetRecord,
  { concurrency, onWarning }: { readonly concurrency: number } & Pick<FleetRunOptions, "onWarning">,
): Lanes {
  const runner = stageRunner(fleet, definition, record.store, onWarning);
  const stop = new AbortController();
  // One listener per running stage: not a leak.
  setMaxListeners(0, stop.signal);
  return {
    window: concurrency,
    async run({ command, stage, input }) {
      return runner.run({ command, stage, input: await record.decodeInput(stage, input) }, stop.signal);
    },
    interrupt: () => stop.abort(),
  };
}
