/** The counts of resources by outcome. */
import type { RunSummary } from "../../../../core/base/index.js";
import { count } from "./time.js";

const WORDS: readonly (readonly [name: keyof RunSummary, word: string])[] = [
  ["failed", "failed"],
  ["stopped", "stopped"],
  ["created", "created"],
  ["updated", "updated"],
  ["replaced", "replaced"],
  ["adopted", "adopted"],
  ["deleted", "deleted"],
  ["retained", "retained"],
  ["left", "left"],
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
  /** The outcome of the run: one that is not done may have had more to do. */
  readonly outcome?: string;
  /** True if handlers that were stopped were so because of a failure. An interruption stops handlers, too. */
  readonly isEffect?: boolean;
}

export function Summary({ summary, most = WORDS.length, outcome = "done", isEffect = false }: SummaryProps) {
  const counts = WORDS.filter(([name]) => summary[name] > 0).slice(0, most);
  if (counts.length === 0)
    return <span class="soft">{outcome === "done" ? "nothing to do" : "nothing was changed"}</span>;
  const cause = isEffect && summary.failed > 0 ? ` with ${summary.failed === 1 ? "it" : "them"}` : "";
  return (
    <span class="summary">
      {counts.map(([name, word]) => (
        <span key={name} class="summary-part" data-tone={name === "failed" ? "bad" : undefined}>
          <b>{count(summary[name])}</b> {word}
          {name === "stopped" && cause}
        </span>
      ))}
    </span>
  );
}
