/** Prints the events of a run as lines for people. */
import { type RunSummary, stepsOf } from "../../core/base/index.js";
import type { EngineEvents, EventSource, Logger, Plan, RunControl } from "../../core/contract/index.js";
import { isMessageTold, markTold, tellFailuresOf } from "../internal/terminal/tell.js";
import { countWord } from "../internal/text/count-word.js";
import { duration } from "../internal/text/duration.js";
import { plainData } from "../internal/text/plain-text.js";
import {
  type FailureTheme,
  failedLines,
  failureLines,
  interruptedLines,
  isInterruption,
  stoppedLine,
} from "./failure-lines.js";
import { linesOf, MARGIN, type Palette, styleOf, type Theme } from "./theme.js";

const DONE = ["created", "updated", "replaced", "adopted", "deleted"] as const;

/** The printer of a plan, loaded before the plan is made. */
export interface PlanView {
  lines?: (plan: Plan, theme: Theme) => readonly string[];
}

interface Printing {
  readonly events: EventSource;
  /**
   * The same events before they are converted to plain data. Conversion costs time, and most events of quiet resources
   * are dropped.
   */
  readonly raw: EventSource;
  readonly control: RunControl;
  readonly logger: Logger;
  readonly theme: Theme;
  readonly quiet: boolean;
  /** True to print failures with their stacks. */
  readonly verbose: boolean;
  /** True for a plan, which reports drift and kept resources itself. */
  readonly plan: boolean;
  readonly planView: PlanView;
}

/** Listens only to the events that it prints: an event without listeners costs nothing. */
export function printRun(printing: Printing): void {
  const { events, logger, theme, quiet, planView } = printing;
  printDone(printing);
  if (!quiet) {
    let isPlanPrinted = false;
    events.on("plan:made", (plan) => {
      isPlanPrinted = true;
      for (const line of planView.lines?.(plan, theme) ?? []) logger.info(line);
    });
    events.on("run:finished", (event) => {
      if (!isPlanPrinted) logger.info(summaryLine(event, theme.out));
    });
  }
  printTrouble(printing);
  // After the summary, so that failures come last.
  printFailures(printing);
}

function printDone({ events, raw, logger, theme, quiet, plan: isPlan }: Printing): void {
  // Each resource event says whether its scope is quiet, which may differ from the root.
  for (const word of DONE) {
    raw.on(`resource:${word}`, (event) => {
      if (event.quiet) return;
      const { fqn, kind, duration: taken } = plainData(event);
      const { out } = theme;
      logger.info(`${styleOf(out, word)(word.padEnd(8))} ${fqn}  ${out.dim(`(${kind}, ${duration(taken)})`)}`);
    });
  }
  events.on("resource:drifted", ({ fqn, kind, gone, paths, quiet: isQuiet }) => {
    const what = gone ? "gone" : `${paths.map(memberName).join(", ")} ${paths.length === 1 ? "differs" : "differ"}`;
    if (!isQuiet && !isPlan)
      logger.info(`${theme.out.yellow("drifted")}  ${fqn}  ${theme.out.dim(`(${kind}: ${what})`)}`);
  });
  events.on("resource:log", ({ fqn, message, quiet: isQuiet }) => {
    if (!isQuiet) for (const line of linesOf(message)) logger.info(`${MARGIN}${theme.out.dim(`${fqn}:`)} ${line}`);
  });
  events.on("resource:retained", ({ fqn, kind, reason }) => {
    if (!quiet && !isPlan) logger.info(`${theme.out.dim("kept")}     ${fqn}  ${theme.out.dim(`(${kind}: ${reason})`)}`);
  });
}

function printTrouble({ events, logger, theme, quiet }: Printing): void {
  const tell = (head: string, message: string): void => {
    const [first = "", ...rest] = linesOf(message);
    logger.error(`${head}${first}`);
    for (const line of rest) logger.error(`${MARGIN}${line}`);
  };
  events.on("resource:retrying", ({ fqn, action, attempt, attempts, delay, message }) => {
    const what = theme.err.dim(`(${action}, call ${attempt} of ${attempts} in ${duration(delay)})`);
    tell(`${theme.err.yellow("retrying")} ${fqn}  ${what}: `, message);
  });
  events.on("state:waiting", ({ owner, since }) => {
    // A quiet run reports only long waits, later: a service has many short ones.
    if (!quiet) logger.error(`${theme.err.yellow("waiting")}  for ${owner}, running since ${since}`);
  });
  events.on("state:taken-over", ({ owner, since }) => {
    logger.error(`${theme.err.yellow("resuming")} after ${owner}, which started at ${since} and was interrupted`);
  });
  events.on("run:repeated", ({ app, stage }) => {
    if (quiet) return;
    logger.error(`${theme.err.yellow("again")}    another run changed "${app}/${stage}" first: the program runs again`);
  });
  events.on("warning", ({ code, message }) => tell(`${theme.err.yellow("warning")}  `, `${message} [${code}]`));
}

function printFailures({ events, control, logger, theme, verbose }: Printing): void {
  const failureTheme = (): FailureTheme => ({ palette: theme.err, isVerbose: verbose });
  tellFailuresOf(control);
  events.on("run:started", () => tellFailuresOf(control));
  events.on("resource:failed", (event) => {
    for (const line of failedLines(event, failureTheme())) logger.error(line);
    markTold(control, event.message);
  });
  events.on("resource:stopped", (event) => logger.error(stoppedLine(event, theme.err)));
  events.on("run:finished", ({ errors, interrupted }) => {
    const notes = errors.filter(({ message }) => !isMessageTold(control, message));
    const reasons = interrupted ? notes.filter(isInterruption) : [];
    const others = notes.filter((note) => !reasons.includes(note));
    for (const line of failureLines(others, failureTheme())) logger.error(line);
    for (const line of interruptedLines(reasons, theme.err)) logger.error(line);
    for (const { message } of errors) markTold(control, message);
  });
}

/** Returns the member of an output as it is written in code. */
function memberName(pointer: string): string {
  return ["output", ...stepsOf(pointer)].join(".");
}

const COUNTS = [
  "created",
  "updated",
  "replaced",
  "adopted",
  "read",
  "deleted",
  "retained",
  "left",
  "failed",
  "stopped",
  "notBegun",
] as const;

/** Returns the last line of a run. */
export function summaryLine(event: EngineEvents["run:finished"], palette: Palette): string {
  const { app, stage, phase, ok, interrupted, summary, duration: taken } = event;
  const { bold, green, red, yellow } = palette;
  const how = ok ? green("done") : interrupted ? bold(yellow("INTERRUPTED")) : bold(red("FAILED"));
  return `${bold(`${app}/${stage}`)} ${phase} ${how} in ${duration(taken)}: ${counts(summary, ok)}`;
}

function counts(summary: RunSummary, ok: boolean): string {
  const parts = COUNTS.filter((name) => summary[name] > 0).map((name) => `${summary[name]} ${countWord(name)}`);
  const { unchanged } = summary;
  if (unchanged > 0) parts.push(`${unchanged} unchanged`);
  if (parts.length > 0) return parts.join(", ");
  return ok ? "nothing to do" : "nothing was done";
}

/** Formats the duration of something that is still running, in whole seconds. */
export function wholeSeconds(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds} s`;
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes} min ${seconds % 60} s` : `${hours} h ${minutes % 60} min`;
}
