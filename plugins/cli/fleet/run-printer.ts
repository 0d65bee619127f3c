/** Prints a fleet run while it runs. */
import { monotonicNow } from "../../../core/base/index.js";
import { loadTheme, plainTheme, type Theme, wantsColours } from "../../console-output/theme.js";
import type { EndedStage, FleetReport } from "../../fleet/index.js";
import { writeLine } from "../../internal/terminal/standard-streams.js";
import { Pace } from "../../internal/text/pace.js";
import { printJson, say } from "../output.js";
import { fleetFrame } from "./live-frame.js";
import { PlainRun } from "./plain-run.js";
import { detailLines, failureLines, type NextCommands, nextLines, summaryLine } from "./report-lines.js";

/** Version of the objects in NDJSON. */
export const SCHEMA = 1;

export interface RunPrinter {
  onProgress(report: FleetReport): void;
  onStage(ended: EndedStage): void;
  onWarning(code: string, message: string): void;
  /** Prints the final report. */
  end(report: FleetReport): void;
  /** Removes what is not final, e.g. before an error is printed. */
  close(): void;
}

export interface Printing {
  readonly next: NextCommands;
  readonly quiet: boolean;
  readonly json: boolean;
}

/** True if the output is a terminal that a person watches. */
export function isOnTerminal(): boolean {
  return process.stdout.isTTY === true && !process.env.CI && process.env.TERM !== "dumb";
}

export async function runPrinter({ next, quiet, json }: Printing): Promise<RunPrinter> {
  if (json) return jsonPrinter();
  const isTerminal = isOnTerminal();
  const theme = plainTheme(() => (isTerminal && process.stdout.columns) || undefined);
  const out = wantsColours(process.env, process.stdout.isTTY === true);
  const err = wantsColours(process.env, process.stderr.isTTY === true);
  if (out || err || isTerminal) await loadTheme(theme, { out, err, isTerminal });
  const onWarning = (code: string, message: string): void => say(`warning  ${message} [${code}]`);
  const end = (report: FleetReport): void => printReport(report, { next, quiet, theme });
  if (quiet || !isTerminal) {
    const plain = new PlainRun(theme, quiet, next.fleet("resume"));
    return {
      onProgress: (report) => plain.progress(report),
      onStage: (ended) => plain.stage(ended),
      onWarning,
      end(report) {
        plain.close();
        end(report);
      },
      close: () => plain.close(),
    };
  }
  const live = await liveView(theme, next);
  return {
    onProgress: live.show,
    onStage: () => {},
    onWarning,
    end(report) {
      live.close();
      end(report);
    },
    close: live.close,
  };
}

interface Summary {
  readonly next: NextCommands;
  readonly quiet: boolean;
  readonly theme: Theme;
  /** Names of failed stages by cause. */
  readonly names?: number;
}

/** Prints the final report, or the one of `status`. */
export function printReport(report: FleetReport, { next, quiet, theme, names }: Summary): void {
  const print = (line: string): void => writeLine("stdout", line);
  if (!quiet) {
    for (const line of detailLines(report)) print(line);
    print(summaryLine(report, theme.out));
  }
  for (const line of failureLines(report.failures, theme.err, names)) writeLine("stderr", line);
  if (!quiet || report.state !== "done") for (const line of nextLines(report, next)) say(line);
}

interface LiveView {
  show(report: FleetReport): void;
  close(): void;
}

/** Milliseconds between two frames. */
const EVERY = 250;

async function liveView(theme: Theme, next: NextCommands): Promise<LiveView> {
  const { standardRegion } = await import("../../internal/terminal/live-region.js");
  const region = standardRegion();
  const pace = new Pace();
  let last: { readonly report: FleetReport; readonly at: number } | undefined;
  const leave = region.join({
    width: (line) => theme.width(line),
    paint(size) {
      if (!last) return [];
      const { report, at } = last;
      const elapsed = report.duration - (report.earlier ?? 0) + monotonicNow() - at;
      return fleetFrame({ report, rate: pace.rate(report), elapsed, resume: next.fleet("resume") }, size, theme);
    },
  });
  const timer = setInterval(() => region.update(), EVERY);
  return {
    show(report) {
      last = { report, at: monotonicNow() };
      pace.add(report, last.at);
    },
    close() {
      clearInterval(timer);
      leave();
    },
  };
}

function jsonPrinter(): RunPrinter {
  let state: string | undefined;
  return {
    onProgress(report) {
      if (report.state === state) return;
      ({ state } = report);
      const { fleet, run, command, reason } = report;
      printJson({ v: SCHEMA, type: "state", fleet, run, command, state, ...(reason !== undefined && { reason }) });
    },
    onStage: (ended) => printJson({ v: SCHEMA, type: "stage", ...ended }),
    onWarning: (code, message) => printJson({ v: SCHEMA, type: "warning", code, message }),
    end: (report) => printJson({ v: SCHEMA, type: "report", ...report }),
    close: () => {},
  };
}
