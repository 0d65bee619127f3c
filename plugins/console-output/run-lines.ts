/** What happens in a run, as lines for people. */
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

/** Where a run makes a plan, how it is shown; loaded before the plan is made. */
export interface PlanView {
  lines?: (plan: Plan, theme: Theme) => readonly string[];
}

interface Printing {
  readonly events: EventSource;
  /** The same events, before they are made plain: that costs time, and of a quiet resource most are dropped. */
  readonly raw: EventSource;
  readonly control: RunControl;
  readonly logger: Logger;
  readonly theme: Theme;
  readonly quiet: boolean;
  /** Failures are told with their stacks. */
  readonly verbose: boolean;
  /** The plan itself says what drifts, and what is kept. */
  readonly plan: boolean;
  readonly planView: PlanView;
}

/** Hears only what it prints: an event that nobody hears costs nothing. */
export function printRun(printing: Printing): void {
  const { events, logger, theme, quiet, planView } = printing;
  printDone(printing);
  if (!quiet) {
    let isTold = false;
    events.on("plan:made", (plan) => {
      isTold = true;
      for (const line of planView.lines?.(plan, theme) ?? []) logger.info(line);
    });
    events.on("run:finished", (event) => {
      if (!isTold) logger.info(summaryLine(event, theme.out));
    });
  }
  printTrouble(printing);
  // After the summary: what failed comes last.
  printFailures(printing);
}

function printDone({ events, raw, logger, theme, quiet, plan: isPlan }: Printing): void {
  // Whether its scope is quiet, which may differ from the root, each event about a resource says itself.
  for (const word of DONE) {
    raw.on(`resource:${word}`, (event) => {
      if (event.quiet) return;
      const { fqn, kind, duration: taken } = plainData(event);
      const { out } = theme;
      logger.info(`${styleOf(out, word)(word.padEnd(8))} ${fqn}  ${out.dim(`(${kind}, ${duration(taken)})`)}`);
    });
  }
  events.on("resource:drifted", ({ fqn, kind, gone, paths, quiet: hushed }) => {
    const what = gone ? "gone" : `${paths.map(memberName).join(", ")} ${paths.length === 1 ? "differs" : "differ"}`;
    if (!hushed && !isPlan)
      logger.info(`${theme.out.yellow("drifted")}  ${fqn}  ${theme.out.dim(`(${kind}: ${what})`)}`);
  });
  events.on("resource:log", ({ fqn, message, quiet: hushed }) => {
    if (!hushed) for (const line of linesOf(message)) logger.info(`${MARGIN}${theme.out.dim(`${fqn}:`)} ${line}`);
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
    // Of a wait that goes on there is a word later; a service has many that are short.
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
  const failureLook = (): FailureTheme => ({ palette: theme.err, isVerbose: verbose });
  tellFailuresOf(control);
  events.on("run:started", () => tellFailuresOf(control));
  events.on("resource:failed", (event) => {
    for (const line of failedLines(event, failureLook())) logger.error(line);
    markTold(control, event.message);
  });
  events.on("resource:stopped", (event) => logger.error(stoppedLine(event, theme.err)));
  events.on("run:finished", ({ errors, interrupted }) => {
    const notes = errors.filter(({ message }) => !isMessageTold(control, message));
    const reasons = interrupted ? notes.filter(isInterruption) : [];
    const others = notes.filter((note) => !reasons.includes(note));
    for (const line of failureLines(others, failureLook())) logger.error(line);
    for (const line of interruptedLines(reasons, theme.err)) logger.error(line);
    for (const { message } of errors) markTold(control, message);
  });
}

/** Of an output, as people write it. */
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

/** The line that a run ends with. */
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

/** Milliseconds of something that goes on, as people read them: it changes once a second at most. */
export function wholeSeconds(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return `${seconds} s`;
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? `${minutes} min ${seconds % 60} s` : `${hours} h ${minutes % 60} min`;
}
