/** The line that a run ends with. */
import type { EngineEvents } from "../../core/events.js";
import type { RunSummary } from "../../core/vocabulary.js";
import { duration } from "./duration.js";
import type { Palette } from "./palette.js";

interface Counts extends RunSummary {
  readonly stopped: number;
}

const COUNTS = [
  "created",
  "updated",
  "replaced",
  "adopted",
  "read",
  "deleted",
  "retained",
  "failed",
  "stopped",
] as const;

/** @param stopped so many of the failures are none: the run was interrupted */
export function summaryLine(event: EngineEvents["run:finished"], stopped: number, palette: Palette): string {
  const { app, stage, phase, ok, duration: taken } = event;
  const { bold, green, red, yellow } = palette;
  const summary = { ...event.summary, failed: event.summary.failed - stopped, stopped };
  const isOnlyStopped = summary.stopped > 0 && summary.failed <= 0;
  const how = ok ? green("done") : isOnlyStopped ? bold(yellow("INTERRUPTED")) : bold(red("FAILED"));
  return `${bold(`${app}/${stage}`)} ${phase} ${how} in ${duration(taken)}: ${counts(summary, ok)}`;
}

function counts(summary: Counts, ok: boolean): string {
  const parts = COUNTS.filter((name) => summary[name] > 0).map((name) => `${summary[name]} ${name}`);
  const { skipped } = summary;
  if (skipped > 0) parts.push(`${skipped} unchanged`);
  if (parts.length > 0) return parts.join(", ");
  return ok ? "nothing to do" : "nothing was done";
}
