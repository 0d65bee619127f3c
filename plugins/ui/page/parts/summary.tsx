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
  ["notBegun", "not begun"],
  ["read", "read"],
  ["unchanged", "unchanged"],
];

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
