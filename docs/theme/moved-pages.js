/** Pages that were merged into others: their old addresses forward readers to the section. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Old page → the page and section that has its text. `renamed`: sections whose anchor has changed. */
export const MOVED_PAGES = {
  "compared-in-ten-minutes": { page: "comparison", section: "how-it-compares-in-ten-minutes" },
  "phrase-book": { page: "migrating", section: "phrase-book" },
  "migrating-from-alchemy": { page: "migrating", section: "migrating-from-alchemy" },
  "tutorial-s3": { page: "team-state", section: "team-state-on-s3-in-ten-minutes" },
  phases: { page: "lifecycle", section: "the-phases", renamed: { phases: "the-phases" } },
  simulation: {
    page: "testing",
    section: "simulation",
    renamed: { "a-plugin": "simulating-a-plugin", "a-store": "simulating-a-store" },
  },
  environment: { page: "options", section: "environment-variables" },
  "exit-codes": { page: "options", section: "exit-codes" },
  redis: { page: "stores", section: "state-in-redis" },
  keyv: { page: "stores", section: "state-in-keyv" },
  targets: { page: "guards", section: "targets-and-limits" },
  processes: { page: "local-development", section: "processes" },
  "included-plugins": { page: "plugins", section: "included-plugins" },
  references: { page: "scopes", section: "references" },
  runtimes: { page: "limits", section: "runtimes" },
  ledger: { page: "state", section: "the-ledger" },
  ci: { page: "recipes", section: "pipelines" },
  events: { page: "hooks", section: "events", renamed: { table: "table-of-events" } },
};

/** Writes a page for each old address; it keeps the anchor of the link. */
export function writeMovedPages(folder) {
  for (const [old, { page, section, renamed = {} }] of Object.entries(MOVED_PAGES)) {
    const file = join(folder, `guide/${old}.html`);
    mkdirSync(dirname(file), { recursive: true });
    const target = `${page}.html#${section}`;
    const script = `const to=${JSON.stringify(renamed)},at=location.hash.slice(1);location.replace(at?"${page}.html#"+(to[at]??at):"${target}")`;
    writeFileSync(
      file,
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Moved</title><meta name="robots" content="noindex"><link rel="canonical" href="${target}"><script>${script}</script><noscript><meta http-equiv="refresh" content="0; url=${target}"></noscript></head><body><p>This page has moved: <a href="${target}">${page}</a>.</p></body></html>\n`,
    );
  }
}
