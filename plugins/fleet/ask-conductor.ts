/** Sends requests to the process that conducts a fleet run. */
import { EngineError, processName } from "../../core/base/index.js";
import type { StateStore } from "../../core/contract/index.js";
import { loading } from "./brand.js";
import type { FleetReport, FleetRequest, FleetState } from "./contract.js";
import { sendRequest } from "./notes.js";
import { FleetRecord, type RecordOptions } from "./record.js";
import { fleetStatus, statusIn } from "./status.js";

/** States of a run that obeys no requests. */
const OVER: ReadonlySet<FleetState> = new Set(["done", "failed", "cancelled"]);

/** States of a run that the same command continues. */
export const UNFINISHED: ReadonlySet<FleetState> = new Set(["running", "interrupted", "paused", "waiting"]);

/**
 * Sends a request to the process that conducts the fleet, which obeys within seconds. A run that no process conducts is
 * paused or cancelled here. Resolves with the report so far.
 *
 * @throws EngineError `NOT_RECORDED` if no run is in progress
 */
export async function askConductor(fleet: string, options: RecordOptions, request: FleetRequest): Promise<FleetReport> {
  const found = await fleetStatus(fleet, options);
  if (!found) throw await neverRanIn(fleet, options);
  const { report, isHeld } = found;
  if (!isHeld && UNFINISHED.has(report.state) && request !== "resume") return markLeft(fleet, options, request);
  if (!isHeld || OVER.has(report.state)) {
    const { command, state } = report;
    throw notRecorded(fleet, `is not running: its last run (${command}) is ${state}`);
  }
  await sendRequest(fleet, options, { run: report.run, request });
  return report;
}

/** The state that a request leads to if no process conducts the run. */
const AFTER = { pause: "paused", cancel: "cancelled" } as const;

/** Marks a run that no process conducts. */
async function markLeft(fleet: string, options: RecordOptions, request: "pause" | "cancel"): Promise<FleetReport> {
  const record = await FleetRecord.open(fleet, options, request);
  try {
    const { user, host } = processName();
    if (record.run) await record.setRun({ ...record.run, state: AFTER[request], reason: `by ${user}@${host}` });
    const found = statusIn(fleet, record);
    if (!found) throw neverRan(fleet, record.store);
    await record.close();
    return found.report;
  } catch (error) {
    await record.close("failed").catch(() => {});
    throw error;
  }
}

export function notRecorded(fleet: string, why: string): EngineError {
  return new EngineError("NOT_RECORDED", `The fleet "${fleet}" ${why}. ${starting()}`);
}

/** Error for a fleet without a run in a store. */
export function neverRan(fleet: string, { name, location = name }: Pick<StateStore, "name" | "location">): EngineError {
  return notRecorded(fleet, `has no recorded run in the state at ${location}`);
}

async function neverRanIn(fleet: string, options: RecordOptions): Promise<EngineError> {
  const record = await FleetRecord.read(fleet, options);
  await record.close();
  return neverRan(fleet, record.store);
}

/** Names the command that starts a run, if a command has loaded the program. */
function starting(): string {
  const { command } = loading;
  return command === undefined ? "Start a run with up()." : `Start a run: ${command("up")}`;
}
