/** The pages of the site as HTML: the same bytes for the same content, so that nothing changes without a reason. */
import { addressOf, indexFile, type Page, type Section } from "./content.js";
import { escapeHtml, htmlOf } from "./markdown.js";

/** @param build shown at the foot of every page */
export function markdownPage(page: Page, { depth }: Section, build: string): string {
  const top = "../".repeat(depth);
  const body = `<nav><a href="${top}index.html">Contents</a></nav>\n<main>\n${htmlOf(page.markdown)}</main>`;
  return layout({ title: page.title, top, body, build });
}

/** Lists all pages of the site, section by section, below the text of `index.md`. */
export function indexPage(content: Section, build: string): string {
  const opening = indexFile(content);
  const title = opening?.title ?? content.name;
  const head = opening ? htmlOf(opening.markdown) : `<h1>${escapeHtml(title)}</h1>\n`;
  return layout({ title, top: "", body: `<main>\n${head}${listOf(content, "", opening)}</main>`, build });
}

function listOf({ pages, sections }: Section, address: string, opening: Page | undefined): string {
  const links = pages
    .filter((page) => page !== opening)
    .map(
      (page) => `<li><a href="${escapeHtml(encoded(address + addressOf(page)))}">${escapeHtml(page.title)}</a></li>`,
    );
  const below = sections.map(
    (section) => `<li>${escapeHtml(section.name)}\n${listOf(section, `${address}${section.name}/`, opening)}</li>`,
  );
  return `<ul>\n${[...links, ...below].join("\n")}\n</ul>\n`;
}

function encoded(address: string): string {
  return address.split("/").map(encodeURIComponent).join("/");
}

interface Layout {
  readonly title: string;
  /** Path from the page to the top of the site, e.g. `../`. */
  readonly top: string;
  readonly body: string;
  readonly build: string;
}

function layout({ title, top, body, build }: Layout): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<link rel="stylesheet" href="${top}site.css">
</head>
<body>
${body}
<footer>Build ${escapeHtml(build)}</footer>
</body>
</html>
`;
}
