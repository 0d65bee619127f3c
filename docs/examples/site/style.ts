/** The one style sheet of the site. */
export const css = `:root { color-scheme: light dark; --line: color-mix(in srgb, currentcolor 20%, transparent); }
body { max-width: 46rem; margin: 0 auto; padding: 1.5rem; font: 1.05rem/1.6 system-ui, sans-serif; }
h1, h2, h3 { line-height: 1.25; margin: 2em 0 0.6em; }
h1 { margin-top: 1em; }
nav, footer { font-size: 0.9rem; opacity: 0.75; }
footer { margin-top: 4rem; padding-top: 0.75rem; border-top: 1px solid var(--line); }
code { font: 0.9em ui-monospace, monospace; }
pre { overflow-x: auto; padding: 0.9rem; border: 1px solid var(--line); border-radius: 6px; }
table { display: block; overflow-x: auto; border-collapse: collapse; }
th, td { padding: 0.3rem 0.7rem; border: 1px solid var(--line); text-align: left; vertical-align: top; }
img { max-width: 100%; }
`;
