/** `engine worker`: runs stages of a fleet from a queue until it gets a signal. */
import { EngineError } from "../../../core/base/index.js";
import { loadTheme, plainTheme, styleOf, wantsColours } from "../../console-output/theme.js";
import type { FleetWorker, FleetWorkOptions } from "../../fleet/index.js";
import { milliseconds } from "../../internal/flags/flag.js";
import { writeLine } from "../../internal/terminal/standard-streams.js";
import { counted } from "../../internal/text/counted.js";
import { duration } from "../../internal/text/duration.js";
import { textOf } from "../flags.js";
import { keepStdout, printJson, say } from "../output.js";
import { type Health, healthAddress, serveHealth } from "./health.js";
import { interrupts } from "./interrupts.js";
import { type FleetCall, loadFleet } from "./load-fleet.js";
import { failedStageLines } from "./report-lines.js";
import { stagesAtOnce } from "./run-fleet.js";
import { SCHEMA } from "./run-printer.js";

type OnStage = NonNullable<FleetWorkOptions["onStage"]>;

/** Returns the exit code. @throws EngineError as `fleet.work()` does, and `INVALID_ARGUMENT` */
export async function work(call: FleetCall): Promise<number> {
  const { given, flags } = call;
  const json = given.json === true;
  const quiet = flags.options.quiet === true;
  if (json) keepStdout();
  const concurrency = stagesAtOnce(given);
  const [grace, health] = [given.grace, given.health].map(textOf);
  const address = health === undefined ? undefined : healthAddress(health);
  const numbers = {
    ...(concurrency !== undefined && { concurrency }),
    ...(grace !== undefined && { grace: milliseconds(grace, "--grace") }),
  };
  const { fleet, version, defaults, queue } = await loadFleet(call);
  if (queue === undefined)
    throw new EngineError("INVALID_ARGUMENT", "A worker needs a queue. Pass --queue URL, or set ENGINE_QUEUE.");
  let worker: FleetWorker | undefined;
  const stops = interrupts(() => {
    const running = worker?.status().running.length ?? 0;
    return running > 0 ? `ending: waiting for ${counted(running, "running stage")}` : "ending";
  }, undefined);
  const server = address && (await serveHealth(address, () => worker?.status()));
  worker = await fleet.work({
    queue,
    version,
    defaults,
    ...numbers,
    signal: stops.signal,
    onStage: json ? (ended) => printJson({ v: SCHEMA, type: "stage", ...ended }) : await lines(fleet.name, quiet),
    onWarning(code, message) {
      if (json) printJson({ v: SCHEMA, type: "warning", code, message });
      else say(`warning  ${message} [${code}]`);
    },
  });
  if (json) printJson({ v: SCHEMA, type: "worker", ...worker.status() });
  else if (!quiet) writeLine("stdout", beginning(fleet.name, version, server));
  const status = await worker.done;
  if (json) printJson({ v: SCHEMA, type: "worker", ...status });
  else if (!quiet) {
    const refused = status.refused > 0 ? `, ${counted(status.refused, "job")} refused` : "";
    writeLine(
      "stdout",
      `${fleet.name} worker ended: ${counted(status.ended, "stage")}, ${status.failed} failed${refused}`,
    );
  }
  server?.close();
  // A signal is the regular end of a worker.
  return 0;
}

function beginning(fleet: string, version: string, health: Health | undefined): string {
  const at = health === undefined ? "" : `; health: http://${hostOf(health)}:${health.address.port}/`;
  return `${fleet} worker: takes stages of version ${version}${at}`;
}

function hostOf({ address: { host } }: Health): string {
  return host.includes(":") ? `[${host}]` : host;
}

/** Prints one line for each stage. */
async function lines(fleet: string, quiet: boolean): Promise<OnStage> {
  const theme = plainTheme();
  const out = wantsColours(process.env, process.stdout.isTTY === true);
  const err = wantsColours(process.env, process.stderr.isTTY === true);
  if (out || err) await loadTheme(theme, { out, err, isTerminal: false });
  return (ended) => {
    const { outcome, stage, command, duration: taken } = ended;
    if (outcome === "failed") for (const line of failedStageLines(fleet, ended, theme.err)) writeLine("stderr", line);
    else if (!quiet) {
      const word = styleOf(theme.out, outcome === "changed" ? "updated" : outcome)(outcome.padEnd(9));
      writeLine("stdout", `${word} ${fleet}/${stage}  ${theme.out.dim(`(${command}, ${duration(taken)})`)}`);
    }
  };
}
