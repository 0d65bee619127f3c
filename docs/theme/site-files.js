/** The files beside the pages: styles, scripts, fonts, the search's texts, and the page for unknown addresses. */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { writeMovedPages } from "./moved-pages.js";
import { notFoundPage } from "./not-found.js";
import { wordsWithoutPage } from "./search-words.js";

/** Files of TypeDoc's default theme. */
const NOT_OURS = [
  "style.css",
  "main.js",
  "icons.js",
  "icons.svg",
  "navigation.js",
  "search.js",
  "hierarchy.js",
  "custom.css",
  "highlight.css",
];

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const library = fileURLToPath(import.meta.resolve("minisearch"));

export function finishSite({ outputDirectory: folder, project }, theme, logger) {
  for (const address of wordsWithoutPage())
    logger.warn(`docs/theme/search-words.js has words for ${address}, which is not there`);
  const assets = join(folder, "assets");
  const highlight = readFileSync(join(assets, "highlight.css"), "utf8");
  for (const file of NOT_OURS) rmSync(join(assets, file), { force: true });
  cpSync(here("assets"), assets, { recursive: true });
  cpSync(join(assets, "logo.svg"), join(assets, "favicon.svg"));
  writeFileSync(join(assets, "site.css"), `${highlight}${styles()}`);
  writeFileSync(
    join(assets, "minisearch.js"),
    readFileSync(library, "utf8").replace(/^\/\/# sourceMappingURL.*$/m, ""),
  );
  cpSync(join(dirname(library), "../../LICENSE.txt"), join(assets, "minisearch.LICENSE.txt"));
  writeFileSync(join(assets, "search.json"), JSON.stringify(theme.searchIndex.sections));
  writeFileSync(join(folder, "404.html"), notFoundPage(project));
  writeMovedPages(folder);
}

/** In the order of their names, which is the order of the cascade. */
function styles() {
  return readdirSync(here("css"))
    .sort()
    .map((name) => readFileSync(here(`css/${name}`), "utf8"))
    .join("\n");
}
