/** The line that a run ends with. */

import type { RunSummary } from "../../core/base/index.js";
import type { EngineEvents } from "../../core/contract/index.js";
import { countWord } from "../internal/count-word.js";
import { duration } from "../internal/duration.js";
import type { Palette } from "./palette.js";

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

export function summaryLine(event: EngineEvents["run:finished"], palette: Palette): string {
  const { app, stage, phase, ok, interrupted, summary, duration: taken } = event;
  const { bold, green, red, yellow } = palette;
  const how = ok ? green("done") : interrupted ? bold(yellow("INTERRUPTED")) : bold(red("FAILED"));
  return `${bold(`${app}/${stage}`)} ${phase} ${how} in ${duration(taken)}: ${counts(summary, ok)}`;
}

function counts(summary: RunSummary, ok: boolean): string {
  const parts = COUNTS.filter((name) => summary[name] > 0).map((name) => `${summary[name]} ${countWord(name)}`);
  const { skipped } = summary;
  if (skipped > 0) parts.push(`${skipped} unchanged`);
  if (parts.length > 0) return parts.join(", ");
  return ok ? "nothing to do" : "nothing was done";
}
