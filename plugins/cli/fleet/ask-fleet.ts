/** Asks about a fleet run, or sends requests to the process that conducts it: `status`, `pause` and `cancel`. */
import { EngineError } from "../../../core/base/index.js";
import { loadTheme, plainTheme, wantsColours } from "../../console-output/theme.js";
import type { FleetReport } from "../../fleet/index.js";
import { keepStdout, print, printJson, say } from "../output.js";
import { type FleetCall, loadFleet } from "./load-fleet.js";
import { nextCommands } from "./next-commands.js";
import { waveText } from "./report-lines.js";
import { runOptions } from "./run-fleet.js";
import { printReport } from "./run-printer.js";

/** Returns the exit code. @throws EngineError `NOT_RECORDED` unless `--missing-ok` */
export async function showStatus(call: FleetCall): Promise<number> {
  const { given } = call;
  const json = given.json === true;
  if (json) keepStdout();
  const loaded = await loadFleet(call);
  const { fleet } = loaded;
  const report = await fleet.status(runOptions(loaded));
  if (report === undefined) {
    const message = `The fleet "${fleet.name}" has no recorded run.`;
    if (given.missingOk !== true) throw new EngineError("NOT_RECORDED", message);
    if (json) printJson({ fleet: fleet.name, missing: true });
    else say(message);
  } else if (json) printJson(report);
  else await printStatus(report, call);
  return 0;
}

async function printStatus(report: FleetReport, call: FleetCall): Promise<void> {
  const theme = plainTheme();
  const out = wantsColours(process.env, process.stdout.isTTY === true);
  const err = wantsColours(process.env, process.stderr.isTTY === true);
  if (out || err) await loadTheme(theme, { out, err, isTerminal: false });
  if (report.waves.length > 1) for (const index of report.waves.keys()) print(waveText(report, index));
  printReport(report, { next: nextCommands(call), quiet: false, theme });
}

/** Returns the exit code. @throws EngineError `NOT_RECORDED` if no run is in progress */
export async function sendToFleet(request: "pause" | "cancel", call: FleetCall): Promise<number> {
  const json = call.given.json === true;
  if (json) keepStdout();
  const loaded = await loadFleet(call);
  const report = await loaded.fleet[request](runOptions(loaded));
  if (json) printJson(report);
  else print(requestedText(request, report, nextCommands(call).fleet("status")));
  return 0;
}

function requestedText(request: "pause" | "cancel", { fleet, command, state }: FleetReport, status: string): string {
  if (state === "cancelled") return `${fleet} ${command}: cancelled; no process was running it`;
  return `${fleet} ${command}: asked the process that runs it to ${request}, which takes a few seconds; see: ${status}`;
}
