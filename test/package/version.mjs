/**
 * Names a new version in the pages: `npm version` runs it. In CHANGELOG.md, the entries under [Unreleased] move to the
 * version and today's date. The pages that install the packed file name the new one. Without `--write` it only checks
 * that there are entries.
 */
import { readFileSync, writeFileSync } from "node:fs";

const PAGES = ["README.md", "docs/guide/getting-started.md", "docs/guide/team-state.md", "docs/pages/home.md"];

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const changelog = readFileSync("CHANGELOG.md", "utf8");
const heading = /^## \[Unreleased\]\n(?=\n### )/m;
if (!heading.test(changelog)) {
  throw new Error("CHANGELOG.md has nothing under [Unreleased]. Describe what changed for users.");
}
if (process.argv.includes("--write")) {
  const date = new Date().toISOString().slice(0, 10);
  writeFileSync("CHANGELOG.md", changelog.replace(heading, `## [Unreleased]\n\n## [${version}] - ${date}\n`));
  for (const page of PAGES) {
    const text = readFileSync(page, "utf8");
    writeFileSync(page, text.replaceAll(/scope-engine-\d+\.\d+\.\d+\.tgz/g, `scope-engine-${version}.tgz`));
  }
}
