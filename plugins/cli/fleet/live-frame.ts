/** Draws the live view of a fleet run: a bar for each wave, its pace, and the causes of its failures. */
import { wholeSeconds } from "../../console-output/run-lines.js";
import type { Palette, Theme } from "../../console-output/theme.js";
import type { FailureGroup, FleetReport, WaveReport } from "../../fleet/index.js";
import type { Size } from "../../internal/terminal/live-region.js";
import { reasonIn } from "../../internal/text/describe-error.js";
import { duration } from "../../internal/text/duration.js";
import { finishedIn, type Rate, rateText } from "../../internal/text/pace.js";
import { plainLine } from "../../internal/text/plain-text.js";
import { crewText } from "./report-lines.js";

export interface Shown {
  readonly report: FleetReport;
  readonly rate: Rate;
  /** Milliseconds since the run began. */
  readonly elapsed: number;
  /** Command that continues the run, e.g. `engine fleet resume tenants.run.ts`. */
  readonly resume: string;
}

/** Narrower terminals show less of each line. */
const NARROW = 60;
const MOST_FAILURES = 5;

/** Returns lines that fit the screen, each at most as wide as the terminal. Pure. */
export function fleetFrame(shown: Shown, { columns, rows }: Size, theme: Theme): readonly string[] {
  // The last column stays free: some terminals begin a new row after it.
  const width = Math.max(1, columns - 1);
  const { report } = shown;
  const room = Math.max(1, rows - 1);
  const [title, ...facts] = [headLine(shown, theme), ...countLines(report, width, theme.out), ...paceLines(shown)];
  // Failures and one wave keep their places on a low screen.
  const failureRows = Math.min(report.failures.length, MOST_FAILURES, Math.max(0, room - facts.length - 3));
  const waves = waveLines(report, { width, most: Math.max(0, room - 1 - facts.length - failureRows) }, theme);
  const slow = slowestLine(report, theme.out);
  const hasRoom = room > 1 + facts.length + failureRows + waves.length;
  const lines = [
    title ?? "",
    ...waves,
    ...facts,
    ...(slow !== undefined && hasRoom ? [slow] : []),
    ...failureLines(report.failures, failureRows, theme.out),
  ];
  return lines.slice(0, room).map((line) => theme.cut(line, width));
}

function headLine({ report, elapsed, resume }: Shown, { out }: Theme): string {
  const { fleet, command, state, reason, stages } = report;
  const why = reason === undefined ? "" : ` (${plainLine(reason)})`;
  const goOn = state === "waiting" || state === "paused" ? `; continue with: ${resume}` : "";
  const shown = state === "running" ? state : out.bold(out.yellow(state));
  const done = `${finishedIn(report)} of ${stages.total} stages`;
  return `${out.bold(`${plainLine(fleet)} ${command}`)}: ${shown}${why}${goOn}, ${done}, ${wholeSeconds(elapsed)}`;
}

interface Part {
  readonly count: number;
  /** Fills the bar; differs between outcomes, because there may be no colours. */
  readonly mark: string;
  readonly word: string;
  readonly style: (text: string) => string;
}

type Counts = Pick<WaveReport, "changed" | "unchanged" | "failed" | "skipped" | "total">;

function partsOf({ changed, unchanged, failed, skipped, total }: Counts, palette: Palette): readonly Part[] {
  const left = Math.max(0, total - changed - unchanged - failed - skipped);
  return [
    { count: failed, mark: "x", word: "failed", style: palette.red },
    { count: skipped, mark: "-", word: "skipped", style: palette.yellow },
    { count: changed, mark: "█", word: "changed", style: palette.green },
    { count: unchanged, mark: "▒", word: "unchanged", style: palette.cyan },
    { count: left, mark: "·", word: "left", style: palette.dim },
  ];
}

function countLines({ stages }: FleetReport, width: number, palette: Palette): readonly string[] {
  const parts = partsOf(stages, palette).filter(({ count, word }) => count > 0 || word === "left");
  const texts = parts.map(({ count, mark, word, style }) => `${style(mark)} ${count} ${word}`);
  // Two lines are enough for five counts of 40 columns.
  const perLine = width < NARROW ? 2 : texts.length;
  const lines: string[] = [];
  for (let at = 0; at < texts.length; at += perLine) lines.push(`  ${texts.slice(at, at + perLine).join("  ")}`);
  return lines;
}

function paceLines({ report, rate: { perSecond, left } }: Shown): readonly string[] {
  const parts = [
    ...(perSecond === undefined ? [] : [rateText(perSecond)]),
    ...(left === undefined ? [] : [`${wholeSeconds(left + 999)} left`]),
    crewText(report),
  ];
  return [`  ${parts.join(", ")}`];
}

function slowestLine({ slowest }: FleetReport, palette: Palette): string | undefined {
  if (slowest.length === 0) return undefined;
  const named = slowest.map(({ stage, duration: taken }) => `${plainLine(stage)} ${duration(taken)}`);
  return palette.dim(`  slowest: ${named.join(", ")}`);
}

interface Room {
  readonly width: number;
  /** Number of lines. */
  readonly most: number;
}

function waveLines({ waves }: FleetReport, { width, most }: Room, theme: Theme): readonly string[] {
  if (waves.length <= most) return waves.map((wave, index) => waveLine(wave, index, width, theme));
  if (most < 2) return [];
  // The waves around the one that runs.
  const current = Math.max(
    0,
    waves.findIndex(({ finished, total }) => finished < total),
  );
  const shown = most - 1;
  const begin = Math.min(Math.max(0, current - Math.floor(shown / 2)), waves.length - shown);
  const lines = waves.slice(begin, begin + shown).map((wave, at) => waveLine(wave, begin + at, width, theme));
  return [...lines, theme.out.dim(`  and ${waves.length - shown} more waves`)];
}

function waveLine(wave: WaveReport, index: number, width: number, theme: Theme): string {
  const name = wave.prune ? "not in the list" : width < NARROW ? wave.to : `wave ${index + 1} (${wave.to})`;
  const head = `  ${name.padEnd(width < NARROW ? 5 : 15)} `;
  const tail = ` ${wave.finished}/${wave.total}`;
  const cells = Math.min(60, Math.max(0, width - theme.width(head) - Math.max(tail.length, 12)));
  return `${head}${barOf(wave, cells, theme.out)}${tail}`;
}

/** Each outcome gets cells by its share, and at least one: a single failed stage of 10,000 is visible. */
function barOf(wave: WaveReport, cells: number, palette: Palette): string {
  const parts = partsOf(wave, palette).filter(({ count }) => count > 0);
  const sizes = sharesOf(
    parts.map(({ count }) => count),
    cells,
  );
  return (
    parts.map(({ mark, style }, at) => style(mark.repeat(sizes[at] ?? 0))).join("") +
    " ".repeat(parts.length === 0 ? cells : 0)
  );
}

/** Divides cells by counts. The sum is `cells` if there is a count. */
function sharesOf(counts: readonly number[], cells: number): readonly number[] {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const sizes = counts.map((count) => Math.max(count > 0 ? 1 : 0, Math.floor((count * cells) / Math.max(1, total))));
  const largest = counts.indexOf(Math.max(...counts));
  const rest = cells - sizes.reduce((sum, size) => sum + size, 0);
  return sizes.map((size, at) => Math.max(0, at === largest ? size + rest : size));
}

function failureLines(groups: readonly FailureGroup[], most: number, palette: Palette): readonly string[] {
  if (most === 0) return [];
  const shown = groups.length <= most ? groups : groups.slice(0, Math.max(1, most - 1));
  const more = groups.length - shown.length;
  return [
    ...shown.map(({ count, code, resource, message, stages: [stage] }) => {
      const where = resource === undefined ? "" : ` ${plainLine(resource)}`;
      const why = message === undefined ? "" : `: ${plainLine(reasonIn(message))}`;
      return `  ${palette.red(`${count} failed`)} ${code}${where}, e.g. ${plainLine(stage ?? "")}${why}`;
    }),
    ...(more > 0 && most > 1 ? [palette.dim(`  and ${more} more causes`)] : []),
  ];
}
