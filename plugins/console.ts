/** Lines for people, or NDJSON for programs. */
import type { AnyEvent, EngineEvents } from "../core/events.js";
import type { Logger } from "../core/options.js";
import { definePlugin, type EnginePlugin } from "../core/plugin.js";
import type { RunSummary } from "../core/vocabulary.js";

/** Version of the events' shape in NDJSON. */
const SCHEMA = 1;

const DONE = {
  "resource:created": "created",
  "resource:updated": "updated",
  "resource:replaced": "replaced",
  "resource:adopted": "adopted",
  "resource:deleted": "deleted",
} as const;

const COUNTS = ["created", "updated", "replaced", "adopted", "read", "deleted", "retained", "failed"] as const;

/** Prints one line for each resource that was changed, warnings, failures and a summary. */
export function consoleOutput(): EnginePlugin {
  return definePlugin({
    name: "console",
    apply({ events, control }) {
      const logger = (): Logger => control.options?.logger ?? standardStreams;
      events.on("*", (event) => {
        if (control.options?.json) logger().info(JSON.stringify({ v: SCHEMA, ...event }));
        else print(event, logger(), control.options?.quiet ?? false);
      });
    },
  });
}

const standardStreams: Logger = {
  info: (line) => void process.stdout.write(`${line}\n`),
  error: (line) => void process.stderr.write(`${line}\n`),
};

function print(event: AnyEvent, logger: Logger, quiet: boolean): void {
  switch (event.type) {
    case "resource:created":
    case "resource:updated":
    case "resource:replaced":
    case "resource:adopted":
    case "resource:deleted":
      if (quiet || event.quiet) return;
      return logger.info(`${DONE[event.type].padEnd(8)} ${event.fqn}  (${event.kind}, ${time(event.duration)})`);
    case "resource:retained":
      return logger.info(`kept     ${event.fqn}  (${event.kind}: ${event.reason})`);
    case "resource:log":
      if (quiet || event.quiet) return;
      return logger.info(`         ${event.fqn}: ${event.message}`);
    case "resource:failed":
      return logger.error(`FAILED   ${event.fqn}  (${event.kind}, ${event.action})\n         ${event.message}`);
    case "state:waiting":
      return logger.error(`waiting  for ${event.owner}, at work since ${event.since}`);
    case "state:taken-over":
      return logger.error(`resuming after ${event.owner}, interrupted; at work since ${event.since}`);
    case "warning":
      return logger.error(`warning  ${event.message} [${event.code}]`);
    case "run:finished":
      if (!quiet) logger.info(summaryLine(event));
      return;
    default:
      return;
  }
}

function summaryLine({ app, stage, phase, ok, summary, duration }: EngineEvents["run:finished"]): string {
  return `${app}/${stage} ${phase} ${ok ? "done" : "FAILED"} in ${time(duration)}: ${counts(summary)}`;
}

function counts(summary: RunSummary): string {
  const parts = COUNTS.filter((name) => summary[name] > 0).map((name) => `${summary[name]} ${name}`);
  const { skipped } = summary;
  if (skipped > 0) parts.push(`${skipped} unchanged`);
  return parts.length > 0 ? parts.join(", ") : "nothing to do";
}

function time(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}
