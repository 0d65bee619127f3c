/** Runs a fleet: `engine fleet up`, `plan`, `drift`, `destroy`, `resume` and `retry`. */
import { EngineError } from "../../../core/base/index.js";
import { isLook } from "../../fleet/conductor/conducting.js";
import type { FleetEngineOptions, FleetReport, FleetRunOptions } from "../../fleet/index.js";
import { wholeNumber } from "../../internal/flags/flag.js";
import { written } from "../../internal/flags/table.js";
import { counted } from "../../internal/text/counted.js";
import { canAsk, confirm } from "../ask.js";
import { textOf } from "../flags.js";
import { keepStdout, print, printJson, say } from "../output.js";
import type { Given } from "../run-command.js";
import { keepHeapSmall } from "../small-heap.js";
import { interrupts } from "./interrupts.js";
import { type FleetCall, type LoadedFleet, loadFleet } from "./load-fleet.js";
import { nextCommands } from "./next-commands.js";
import { requestedText } from "./report-lines.js";
import { isOnTerminal, runPrinter, SCHEMA } from "./run-printer.js";

export type FleetRun = "up" | "plan" | "drift" | "destroy" | "resume" | "retry";

/** Returns the exit code. @throws EngineError as the method of the fleet does */
export async function runFleet(command: FleetRun, call: FleetCall): Promise<number> {
  const { given } = call;
  const json = given.json === true;
  if (json) keepStdout();
  const concurrency = stagesAtOnce(given);
  const loaded = await loadFleet(call);
  const { stage } = call.flags.options;
  if (loaded.queue !== undefined && stage === undefined) {
    checkForQueue({ ...loaded.defaults, concurrency });
    keepHeapSmall();
  }
  const printer = await runPrinter({ next: nextCommands(call), quiet: call.flags.options.quiet === true, json });
  let last: FleetReport | undefined;
  const stops = interrupts(() => {
    const isIdle = last === undefined || last.state === "waiting";
    return isIdle ? "interrupted: ending" : "interrupted: waiting for the running stages";
  });
  const options: FleetRunOptions = {
    ...runOptions(loaded),
    ...(concurrency !== undefined && { concurrency }),
    ...(stage !== undefined && { stage }),
    signal: stops.signal,
    wait: waits(given),
    onProgress(report) {
      last = report;
      printer.onProgress(report);
    },
    onStage: (ended) => printer.onStage(ended),
    onWarning: (code, message) => printer.onWarning(code, message),
    ...(command === "destroy" && given.yes !== true && { confirm: asking(loaded.fleet.name, stops.signal) }),
  };
  try {
    const report = await loaded.fleet[command](options);
    if (last === undefined) {
      // Another process conducts the run, and got a request.
      printer.close();
      if (json) printJson({ v: SCHEMA, type: "report", ...report });
      else print(requestedText("resume", report, nextCommands(call)));
      sayUnreached(call, loaded);
      return 0;
    }
    printer.end(report);
    return stops.code ?? codeOf(report, given);
  } catch (error) {
    printer.close();
    if (stops.code !== undefined) process.exitCode = stops.code;
    throw error;
  }
}

/** The process that conducts the run keeps its own options. */
function sayUnreached({ given }: FleetCall, { defaults: { force, adopt, refresh, maxDeletes } }: LoadedFleet): void {
  const { queue, wait, concurrency } = given;
  const all = Object.entries({ queue, wait, concurrency, force, adopt, refresh, "max-deletes": maxDeletes });
  const unreached = all.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`]));
  if (unreached.length > 0)
    say(`warning  ${unreached.join(", ")} has no effect: the process that runs it keeps its own options`);
}

/** Workers have options of their own. @throws EngineError `INVALID_ARGUMENT` */
function checkForQueue({ concurrency, force, adopt, refresh, maxDeletes }: FleetEngineOptions): void {
  const given = Object.entries({ concurrency, force, adopt, refresh, "max-deletes": maxDeletes });
  const ignored = given.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`]));
  if (ignored.length === 0) return;
  throw new EngineError(
    "INVALID_ARGUMENT",
    `${ignored.join(", ")} would have no effect, because workers run the stages. Pass it to "engine worker", or set the option in fleet().`,
  );
}

/** Returns the number of `--concurrency`. @throws EngineError `INVALID_ARGUMENT` */
export function stagesAtOnce({ concurrency }: Given): number | undefined {
  const text = textOf(concurrency);
  return text === undefined ? undefined : wholeNumber(text, written("concurrency"));
}

/** Returns the options that every method of a fleet takes. */
export function runOptions({ version, defaults, queue, lockTimeout }: LoadedFleet): FleetRunOptions {
  return {
    version,
    defaults,
    ...(queue !== undefined && { queue }),
    ...(lockTimeout !== undefined && { lockTimeout }),
  };
}

/** A terminal has a person who sees that the run waits. */
function waits({ wait }: Given): boolean {
  return typeof wait === "boolean" ? wait : isOnTerminal();
}

/** @throws EngineError `NOT_CONFIRMED` if there is no terminal to ask on */
function asking(fleet: string, signal: AbortSignal): (stages: number) => Promise<boolean> {
  if (!canAsk()) {
    throw new EngineError(
      "NOT_CONFIRMED",
      `The fleet "${fleet}" was not destroyed: there is no terminal to ask on. Pass --yes to destroy without a question.`,
    );
  }
  return async (stages) =>
    stages === 0 || confirm(`Delete the resources of ${counted(stages, "stage")} of ${fleet}?`, signal);
}

function codeOf({ command, state, stages, resources }: FleetReport, { exitCode }: Given): number {
  if (state === "done") {
    if (!isLook(command) || exitCode !== true) return 0;
    return stages.changed > 0 ? 2 : (resources.unread ?? 0) > 0 ? 4 : 0;
  }
  return state === "waiting" || state === "paused" ? 0 : 1;
}
