/** Lines for people, or NDJSON for programs. */
import type { EngineEvents, EventSource } from "../core/events.js";
import type { Logger } from "../core/options.js";
import { definePlugin, type EnginePlugin } from "../core/plugin.js";
import type { RunSummary } from "../core/vocabulary.js";
import { planLines } from "./console/plan-view.js";
import { writeLine } from "./internal/standard-streams.js";

/** Version of the events' shape in NDJSON. */
const SCHEMA = 1;

const DONE = [
  ["resource:created", "created"],
  ["resource:updated", "updated"],
  ["resource:replaced", "replaced"],
  ["resource:adopted", "adopted"],
  ["resource:deleted", "deleted"],
] as const;

const COUNTS = ["created", "updated", "replaced", "adopted", "read", "deleted", "retained", "failed"] as const;

/** Prints one line for each resource that was changed, warnings, failures and a summary. */
export function consoleOutput(): EnginePlugin {
  return definePlugin({
    name: "console",
    apply({ hooks, events }) {
      // Tapped after the plugins that read arguments and environment: here the options are what they will be.
      hooks.options.tap("console", (context) => {
        const { json, quiet = false, plan = false, logger = standardStreams } = context.options;
        if (json) events.on("*", (event) => logger.info(JSON.stringify({ v: SCHEMA, ...event })));
        else listen(events, logger, { quiet, plan });
        return context;
      });
    },
  });
}

const PROGRAM_ENDED =
  "the process ends here: the rest of the program is not run, and apps that it opens there are not destroyed";

const standardStreams: Logger = {
  info: (line) => writeLine("stdout", line),
  error: (line) => writeLine("stderr", line),
};

interface Mode {
  readonly quiet: boolean;
  /** The plan itself says what drifts, and what is kept. */
  readonly plan: boolean;
}

/** Hears only what it prints: an event that nobody hears costs nothing. */
function listen(events: EventSource, logger: Logger, { quiet, plan: isPlan }: Mode): void {
  // Whether its scope is quiet, which may differ from the root, each event about a resource says itself.
  for (const [name, word] of DONE) {
    events.on(name, ({ fqn, kind, duration, quiet: hushed }) => {
      if (!hushed) logger.info(`${word.padEnd(8)} ${fqn}  (${kind}, ${time(duration)})`);
    });
  }
  let isTold = false;
  events.on("plan:made", (plan) => {
    isTold = true;
    if (!quiet) for (const line of planLines(plan)) logger.info(line);
  });
  events.on("resource:drifted", ({ fqn, kind, gone, paths, quiet: hushed }) => {
    const what = gone ? "gone" : `${paths.map(memberName).join(", ")} ${paths.length === 1 ? "differs" : "differ"}`;
    if (!hushed && !isPlan) logger.info(`drifted  ${fqn}  (${kind}: ${what})`);
  });
  events.on("resource:log", ({ fqn, message, quiet: hushed }) => {
    if (!hushed) for (const line of linesOf(message)) logger.info(`${MARGIN}${fqn}: ${line}`);
  });
  if (!quiet) {
    events.on("resource:retained", ({ fqn, kind, reason }) => {
      if (!isPlan) logger.info(`kept     ${fqn}  (${kind}: ${reason})`);
    });
    events.on("run:finished", (event) => {
      if (!isTold) logger.info(summaryLine(event));
    });
    events.on("program:ended", () => logger.info(PROGRAM_ENDED));
  }
  events.on("resource:retrying", ({ fqn, action, attempt, attempts, delay, message }) => {
    const [first = "", ...rest] = linesOf(message);
    logger.error(`retrying ${fqn}  (${action}, call ${attempt} of ${attempts} in ${time(delay)}): ${first}`);
    for (const line of rest) logger.error(`${MARGIN}${line}`);
  });
  events.on("resource:failed", ({ fqn, kind, action, message }) => {
    logger.error(`FAILED   ${fqn}  (${kind}, ${action})`);
    for (const line of linesOf(message)) logger.error(`${MARGIN}${line}`);
  });
  events.on("state:waiting", ({ owner, since }) => logger.error(`waiting  for ${owner}, at work since ${since}`));
  events.on("state:taken-over", ({ owner, since }) => {
    logger.error(`resuming after ${owner}, interrupted; at work since ${since}`);
  });
  events.on("warning", ({ code, message }) => {
    const [first = "", ...rest] = linesOf(`${message} [${code}]`);
    logger.error(`warning  ${first}`);
    for (const line of rest) logger.error(`${MARGIN}${line}`);
  });
}

/** Of an output, as people write it. */
function memberName(pointer: string): string {
  return ["output", ...pointer.split("/").slice(1)].join(".");
}

/** Stands where other lines say what was done. */
const MARGIN = " ".repeat(9);

function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/);
}

function summaryLine({ app, stage, phase, ok, summary, duration }: EngineEvents["run:finished"]): string {
  return `${app}/${stage} ${phase} ${ok ? "done" : "FAILED"} in ${time(duration)}: ${counts(summary, ok)}`;
}

function counts(summary: RunSummary, ok: boolean): string {
  const parts = COUNTS.filter((name) => summary[name] > 0).map((name) => `${summary[name]} ${name}`);
  const { skipped } = summary;
  if (skipped > 0) parts.push(`${skipped} unchanged`);
  if (parts.length > 0) return parts.join(", ");
  return ok ? "nothing to do" : "nothing was done";
}

function time(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
