/** Fleets: one program over many stages. */
import type { FleetOptions } from "./contract.js";
import { type Fleet, makeFleet } from "./fleet.js";

export type {
  DriftedName,
  EndedStage,
  FailureGroup,
  FleetCommand,
  FleetEngineOptions,
  FleetLimit,
  FleetOptions,
  FleetReport,
  FleetRunOptions,
  FleetStage,
  FleetStages,
  FleetState,
  FleetWave,
  FleetWorker,
  FleetWorkOptions,
  Outcome,
  Percentage,
  StageDrift,
  StageOutcome,
  WaveReport,
  WorkerStatus,
} from "./contract.js";
export type { Fleet } from "./fleet.js";

/**
 * Defines a fleet: one program that runs in many stages, each with its own input. Nothing runs before you call a method
 * of the fleet, or `engine fleet up FILE` for a file whose default export is the fleet.
 *
 * @param name name of the app that the stages belong to
 * @throws EngineError `INVALID_NAME`, `INVALID_OPTION`
 *
 * @example
 * ```ts
 * const tenants = fleet("tenants", {
 *   stages: [{ stage: "ada", input: { plan: "small" } }],
 *   program: async (app, { plan }) => {
 *     await File("plan", { path: `${app.stage}.txt`, content: plan });
 *   },
 * });
 * const report = await tenants.up();
 * console.log(report.state, report.stages.changed);
 * ```
 */
export function fleet<Given, Input = Given>(name: string, options: FleetOptions<Input, Given>): Fleet {
  return makeFleet(name, options as unknown as FleetOptions<unknown>);
}
