/** The report as text: a line a row, and a table of all. */
import { type Measured, medianOf, type Outcome, type SideName } from "./measured.js";
import { PEERS } from "./peers.js";
import type { Report, RowResult } from "./report.js";

/** A duration for people: `27.1 ms`, `2.73 s`. */
export function duration(ms: number): string {
  return ms < 1_000 ? `${ms.toFixed(1)} ms` : `${(ms / 1_000).toFixed(2)} s`;
}

/**
 * Ratio of their time to ours. For OpenTofu only the whole process can be measured, so the whole processes are
 * compared.
 */
function ratioOf(side: SideName, ours: Measured | undefined, theirs: Measured | undefined): number | undefined {
  if (ours === undefined || theirs === undefined) return undefined;
  if (side !== "opentofu") return theirs.totalMs / ours.totalMs;
  return ours.wallMs === undefined || theirs.wallMs === undefined ? undefined : theirs.wallMs / ours.wallMs;
}

/** The line about a finished row. */
export function lineOf(row: RowResult): string {
  const told = [`ours ${cellOf(row.sides.ours)}`];
  for (const peer of ["alchemy", "opentofu"] as const) {
    if (row.sides[peer] === undefined) continue;
    told.push(`${PEERS[peer].title} ${[cellOf(row.sides[peer]), ratioCell(peer, row)].filter(Boolean).join(", ")}`);
  }
  return [row.name, ...told, targetsCell(row)].filter(Boolean).join("   ");
}

interface Column {
  readonly title: string;
  readonly cell: (row: RowResult) => string;
}

const peerColumns = (["alchemy", "opentofu"] as const).flatMap((peer): Column[] => [
  { title: PEERS[peer].title, cell: (row) => cellOf(row.sides[peer]) },
  { title: "ratio", cell: (row) => ratioCell(peer, row) },
]);

const COLUMNS: readonly Column[] = [
  { title: "work", cell: ({ name }) => name },
  { title: "ours", cell: ({ sides }) => cellOf(sides.ours) },
  ...peerColumns,
  { title: "µs each", cell: eachCell },
  { title: "once more", cell: (row) => figure(row, "roundMs", duration) },
  { title: "heap", cell: (row) => figure(row, "growthMb", (mb) => `${mb < 0 ? "" : "+"}${mb.toFixed(2)} MB`) },
  { title: "import", cell: (row) => figure(row, "importMs", duration) },
  { title: "CPU", cell: (row) => figure(row, "cpuMs", duration) },
  { title: "peak", cell: (row) => figure(row, "peakMb", (mb) => `${mb.toFixed(0)} MB`) },
  { title: "target", cell: targetsCell },
];

/** Markdown, as wide as its words; columns without a value in any row are left out. */
export function tableOf(rows: readonly RowResult[]): string {
  const columns = COLUMNS.filter(({ cell }) => rows.some((row) => cell(row) !== ""));
  return markdownTable([columns.map(({ title }) => title), ...rows.map((row) => columns.map(({ cell }) => cell(row)))]);
}

/** The first line is the head. */
export function markdownTable(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, at) => Math.max(...lines.map((cells) => cells[at]?.length ?? 0)));
  const [head = "", ...body] = lines.map((cells) => markdown(cells, widths));
  return [head, `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`, ...body].join("\n");
}

/** The text below the table. */
export function footOf({ runs, machine, node, floor, rows }: Report): string {
  const verdicts = rows.flatMap(({ targets }) => targets.map(({ verdict }) => verdict));
  const count = (which: string) => verdicts.filter((verdict) => verdict === which).length;
  const lines = [
    `Medians of ${runs} in turns; ${machine}, Node ${node}.`,
    `Floor of a create (handler, encoding, its part of an append): ${floor.freshUs.toFixed(1)} µs in a fresh process, ${floor.warmUs.toFixed(1)} µs in a warm one.`,
  ];
  const targets = `Targets: ${count("met")} met, ${count("MISSED")} MISSED, ${count("not run")} not run.`;
  return [...lines, ...(verdicts.length > 0 ? [targets] : [])].join("\n");
}

function markdown(cells: readonly string[], widths: readonly number[]): string {
  return `| ${cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join(" | ")} |`;
}

function cellOf(outcome: Outcome | undefined): string {
  if (outcome === undefined) return "";
  return "notRun" in outcome ? `not run (${outcome.notRun})` : duration(outcome.median.totalMs);
}

function ratioCell(peer: SideName, { sides }: RowResult): string {
  const ratio = ratioOf(peer, medianOf(sides.ours), medianOf(sides[peer]));
  return ratio === undefined ? "" : `${ratio.toFixed(1)}×`;
}

function eachCell({ work, sides }: RowResult): string {
  const ours = medianOf(sides.ours);
  if (ours === undefined || work.kind === "start") return "";
  const each = work.kind === "resident" ? (ours.roundMs ?? Number.NaN) / work.n : ours.totalMs / work.n;
  return (each * 1_000).toFixed(1);
}

function figure({ sides }: RowResult, of: keyof Measured, written: (value: number) => string): string {
  const value = medianOf(sides.ours)?.[of];
  return value === undefined ? "" : written(value);
}

function targetsCell({ targets }: RowResult): string {
  return targets.map(({ text, verdict }) => `${text} ${verdict}`).join(", ");
}
