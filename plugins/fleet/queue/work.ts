/** Starts workers. */
import { EngineError } from "../../../core/base/index.js";
import type { FleetOptions, FleetWorker, FleetWorkOptions } from "../contract.js";

export interface Working {
  readonly name: string;
  readonly definition: FleetOptions<unknown>;
}

export async function startWorker(_fleet: Working, _options: FleetWorkOptions): Promise<FleetWorker> {
  throw new EngineError("QUEUE_FAILED", "in the next commit");
}
