/** The colours of diagrams, for light and dark grounds. */

export const light = {
  ink: "#18201c",
  soft: "#566059",
  line: "#7c877f",
  ground: "#ffffff",
  plain: "#f4f5f1",
  edge: "#c9cec3",
  tint: "#e2f0e9",
  accent: "#0a6b52",
  "on-accent": "#ffffff",
  bad: "#b3261e",
  "bad-tint": "#fbeae8",
};

export const dark = {
  ink: "#e4e9e5",
  soft: "#9dada4",
  line: "#7f8f86",
  ground: "#18201c",
  plain: "#1f2924",
  edge: "#3b4841",
  tint: "#16382b",
  accent: "#63d3a9",
  "on-accent": "#06251b",
  bad: "#ff9d94",
  "bad-tint": "#3a1d1b",
};

/** Texts and what is behind them, by the names above: each pair has to be legible. */
export const PAIRS = [
  ["ink", "ground"],
  ["ink", "plain"],
  ["ink", "tint"],
  ["ink", "bad-tint"],
  ["soft", "ground"],
  ["soft", "plain"],
  ["soft", "tint"],
  ["soft", "bad-tint"],
  ["accent", "ground"],
  ["bad", "ground"],
  ["bad", "bad-tint"],
  ["on-accent", "accent"],
];

const variables = (colors) =>
  Object.entries(colors)
    .map(([name, color]) => `--d-${name}:${color}`)
    .join(";");

/** A page that holds the picture may set the variables itself. */
export const style = [
  `.diagram{${variables(light)}}`,
  `@media (prefers-color-scheme:dark){.diagram{${variables(dark)}}}`,
  ".diagram .t{font-family:var(--d-sans,ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,sans-serif)}",
  ".diagram .mono{font-family:var(--d-mono,ui-monospace,'SF Mono',Menlo,Consolas,monospace)}",
  ".diagram .bold{font-weight:600}",
  ".diagram .ink{fill:var(--d-ink)}.diagram .soft{fill:var(--d-soft)}.diagram .accent-text{fill:var(--d-accent)}",
  ".diagram .on-strong{fill:var(--d-on-accent)}.diagram .bad-text{fill:var(--d-bad)}",
  ".diagram .box{stroke:var(--d-edge)}.diagram .plain{fill:var(--d-plain)}.diagram .tint{fill:var(--d-tint);stroke:var(--d-accent)}",
  ".diagram .strong{fill:var(--d-accent);stroke:none}.diagram .refused{fill:var(--d-bad-tint);stroke:var(--d-bad)}",
  ".diagram .outline{fill:none;stroke:var(--d-edge);stroke-width:1.3}.diagram .outline.tint{fill:none;stroke:var(--d-accent)}",
  ".diagram .arrow{fill:none;stroke:var(--d-line);stroke-width:1.6}.diagram .arrow.accent{stroke:var(--d-accent)}",
  ".diagram .arrow.bad{stroke:var(--d-bad);stroke-width:2}.diagram .arrow.dashed{stroke-dasharray:5 5}",
  ".diagram .arrow.faint{stroke:var(--d-edge)}",
  ".diagram .head{fill:var(--d-line)}.diagram .head.accent{fill:var(--d-accent)}.diagram .head.bad{fill:var(--d-bad)}",
].join("");
