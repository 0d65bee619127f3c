/** Asks about a fleet run, or sends requests to the process that conducts it: `status`, `pause` and `cancel`. */
import { EngineError } from "../../../core/base/index.js";
import { loadTheme, plainTheme, wantsColours } from "../../console-output/theme.js";
import { neverRan } from "../../fleet/ask-conductor.js";
import type { FleetReport } from "../../fleet/index.js";
import { messageIn, stageIn } from "../../fleet/status.js";
import { keepStdout, print, printJson, say } from "../output.js";
import { type FleetCall, type LoadedFleet, loadFleet, openRecord, recordOptions } from "./load-fleet.js";
import { nextCommands } from "./next-commands.js";
import { requestedText, stageLines, waveText } from "./report-lines.js";
import { runOptions } from "./run-fleet.js";
import { printReport, SCHEMA } from "./run-printer.js";

/** Names of failed stages by cause that `status` shows. */
const MOST_NAMES = 100;

/** Returns the exit code. @throws EngineError `NOT_RECORDED` unless `--missing-ok` */
export async function showStatus(call: FleetCall): Promise<number> {
  const { given } = call;
  const json = given.json === true;
  if (json) keepStdout();
  const loaded = await loadFleet(call);
  const { fleet } = loaded;
  const { stage } = call.flags.options;
  if (stage !== undefined) return showStage(loaded, stage, json);
  const report = await fleet.status(runOptions(loaded));
  if (report === undefined) {
    const { store } = await openRecord(loaded);
    const missing = neverRan(fleet.name, store);
    if (given.missingOk !== true) throw missing;
    if (json) printJson({ v: SCHEMA, fleet: fleet.name, missing: true });
    else say(missing.message);
  } else if (json) printJson({ v: SCHEMA, type: "report", ...report });
  else await printStatus(report, call);
  return 0;
}

/** @throws EngineError `NOT_RECORDED` if no run has ended the stage */
async function showStage(loaded: LoadedFleet, stage: string, json: boolean): Promise<number> {
  const { fleet } = loaded;
  const record = await openRecord(loaded);
  const found = stageIn(fleet.name, record, stage);
  if (!found) {
    const message = `No run of the fleet "${fleet.name}" has ended the stage ${JSON.stringify(stage)}, as far as the state at ${record.store.location ?? record.store.name} says.`;
    throw new EngineError("NOT_RECORDED", message);
  }
  const { run, wave, attempt: _, input: __, ...outcome } = found;
  const message = await messageIn(fleet.name, stage, found, recordOptions(loaded));
  const shown = { ...outcome, stage, wave: wave + 1, ...(message !== undefined && { message }) };
  if (json) printJson({ v: SCHEMA, type: "stage", run, ...shown });
  else for (const line of stageLines(fleet.name, shown)) print(line);
  return 0;
}

async function printStatus(report: FleetReport, call: FleetCall): Promise<void> {
  const theme = plainTheme();
  const out = wantsColours(process.env, process.stdout.isTTY === true);
  const err = wantsColours(process.env, process.stderr.isTTY === true);
  if (out || err) await loadTheme(theme, { out, err, isTerminal: false });
  if (report.waves.length > 1) for (const index of report.waves.keys()) print(waveText(report, index));
  printReport(report, { next: nextCommands(call), quiet: false, theme, names: MOST_NAMES });
}

/** Returns the exit code. @throws EngineError `NOT_RECORDED` if no run is in progress */
export async function sendToFleet(request: "pause" | "cancel", call: FleetCall): Promise<number> {
  const json = call.given.json === true;
  if (json) keepStdout();
  const loaded = await loadFleet(call);
  const report = await loaded.fleet[request](runOptions(loaded));
  if (json) printJson({ v: SCHEMA, type: "report", ...report });
  else print(requestedText(request, report, nextCommands(call)));
  return 0;
}
