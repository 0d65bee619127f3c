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

export function Summary({ summary, most = WORDS.length }: { readonly summary: RunSummary; readonly most?: number }) {
  const counts = WORDS.filter(([name]) => summary[name] > 0).slice(0, most);
  if (counts.length === 0) return <span class="soft">nothing to do</span>;
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
