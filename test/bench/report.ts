/** All results of a run of the benchmark, in the format of its JSON file. */
import { execFileSync } from "node:child_process";
import { cpus } from "node:os";
import type { Floor } from "./floor.js";
import type { Outcomes } from "./measure.js";
import { medianOf } from "./measured.js";
import { PEERS } from "./peers.js";
import type { Row, Work } from "./rows.js";
import { targetText, type Verdict, verdictOf } from "./targets.js";

export interface RowResult {
  readonly name: string;
  readonly work: Work;
  readonly sides: Outcomes;
  readonly targets: readonly { readonly text: string; readonly verdict: Verdict }[];
}

export interface Report {
  /** E.g. `2026-11-29`. */
  readonly date: string;
  /** The measured commit, abbreviated; with `+` if files had been changed since. */
  readonly commit: string;
  readonly machine: string;
  readonly node: string;
  /** Runs of each side of a row. */
  readonly runs: number;
  readonly peers: { readonly alchemy: string; readonly opentofu: string };
  readonly floor: Floor;
  readonly rows: readonly RowResult[];
}

export function resultOf({ name, work, targets }: Row, sides: Outcomes): RowResult {
  const ours = medianOf(sides.ours);
  const judged = targets.map((target) => {
    const theirs = target.kind === "ratio" ? medianOf(sides[target.peer]) : undefined;
    return { text: targetText(target), verdict: verdictOf(target, ours, theirs) };
  });
  return { name, work, sides, targets: judged };
}

export function reportOf(runs: number, floor: Floor, rows: readonly RowResult[]): Report {
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? "unknown"}, ${process.platform}`;
  const peers = { alchemy: PEERS.alchemy.package, opentofu: PEERS.opentofu.package };
  const date = new Date().toISOString().slice(0, 10);
  return { date, commit: commitOf(), machine, node: process.version, runs, peers, floor, rows };
}

function commitOf(): string {
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: import.meta.dirname, encoding: "utf8" }).trim();
  const isChanged = git("status", "--porcelain", "--untracked-files=no", ":/core", ":/plugins", ":/adapters") !== "";
  return `${git("rev-parse", "--short=8", "HEAD")}${isChanged ? "+" : ""}`;
}
