/** The counts of resources by outcome. */
import type { RunSummary } from "../../../../core/base/index.js";
import { count } from "./time.js";

const WORDS: readonly (readonly [name: keyof RunSummary, word: string])[] = [
  ["failed", "failed"],
  ["created", "created"],
  ["updated", "updated"],
  ["replaced", "replaced"],
  ["adopted", "adopted"],
  ["deleted", "deleted"],
  ["retained", "retained"],
  ["left", "left"],
  ["stopped", "stopped"],
  ["notBegun", "never reached"],
  ["read", "read"],
  ["unchanged", "unchanged"],
];

/** Adds up the counts of several runs. */
export function sumOf(summaries: readonly RunSummary[]): RunSummary {
  const sum = (name: keyof RunSummary): number => summaries.reduce((total, one) => total + one[name], 0);
  return Object.fromEntries(WORDS.map(([name]) => [name, sum(name)])) as unknown as RunSummary;
}

interface SummaryProps {
  readonly summary: RunSummary;
  readonly most?: number;
  /** False for a run that failed or was interrupted: it may have had more to do. */
  readonly isDone?: boolean;
}

export function Summary({ summary, most = WORDS.length, isDone = true }: SummaryProps) {
  const counts = WORDS.filter(([name]) => summary[name] > 0).slice(0, most);
  if (counts.length === 0) return <span class="soft">{isDone ? "nothing to do" : "nothing was changed"}</span>;
  return (
    <span class="summary">
      {counts.map(([name, word]) => (
        <span key={name} class="summary-part" data-tone={name === "failed" ? "bad" : undefined}>
          <b>{count(summary[name])}</b> {word}
        </span>
      ))}
    </span>
  );
}
