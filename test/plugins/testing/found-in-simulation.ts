/** Simulations that must find a flaw. */
import { Resource } from "../../../core/resource/index.js";
import {
  type SimulateOptions,
  SimulationError,
  type SimulationTools,
  simulate,
} from "../../../plugins/testing/index.js";

/** The error of a simulation with this create. */
export async function foundIn(create: (tools: SimulationTools) => unknown): Promise<SimulationError> {
  const Thing = (tools: SimulationTools) =>
    Resource(`simulate:Thing${Math.random()}`, {
      idempotent: true,
      create: async () => ({ made: String(await create(tools)) }),
      delete: () => {},
    });
  return found({
    setUp(tools) {
      const Kind = Thing(tools);
      return { programs: [() => Kind("thing")] };
    },
  });
}

/** The error that a simulation of a few histories throws. */
export async function found(options: SimulateOptions): Promise<SimulationError> {
  const report = await simulate({ histories: 30, ...options }).catch((error: unknown) => error);
  if (report instanceof SimulationError) return report;
  throw new Error(`Nothing was found: ${JSON.stringify(report)}`);
}
