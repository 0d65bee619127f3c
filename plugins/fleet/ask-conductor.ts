/** Sends requests to the process that conducts a fleet run. */
import { EngineError, processName } from "../../core/base/index.js";
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
 * cancelled here. Resolves with the report so far.
 *
 * @throws EngineError `NOT_RECORDED` if no run is in progress
 */
export async function askConductor(fleet: string, options: RecordOptions, request: FleetRequest): Promise<FleetReport> {
  const found = await fleetStatus(fleet, options);
  if (!found?.isHeld || OVER.has(found.report.state)) {
    if (request === "cancel" && found && UNFINISHED.has(found.report.state)) return cancelLeft(fleet, options);
    throw notRecorded(fleet, "is not running");
  }
  await sendRequest(fleet, options, { run: found.report.run, request });
  return found.report;
}

/** Marks a run that no process conducts. */
async function cancelLeft(fleet: string, options: RecordOptions): Promise<FleetReport> {
  const record = await FleetRecord.open(fleet, options, "cancel");
  try {
    const { user, host } = processName();
    if (record.run) await record.setRun({ ...record.run, state: "cancelled", reason: `by ${user}@${host}` });
    const found = statusIn(fleet, record);
    if (!found) throw notRecorded(fleet, "has no recorded run");
    await record.close();
    return found.report;
  } catch (error) {
    await record.close("failed").catch(() => {});
    throw error;
  }
}

export function notRecorded(fleet: string, why: string): EngineError {
  return new EngineError("NOT_RECORDED", `The fleet "${fleet}" ${why}. Start a run with the command up.`);
}
