/** The texts of the search: the sections of all pages, and the exports of the API. */
import { purposeOf } from "./api/sections.js";
import { wordsFor } from "./search-words.js";

/** By the beginning of a page's address; the first match counts. */
const KINDS = [
  [/^api\//, "api"],
  [/^guide\//, "guide"],
  [/^(decisions|internals)\//, "background"],
];

/** Reference pages: each row of their tables is a section of its own. */
const ROWS = /^guide\/(errors|options|hooks|command-line)\.html/;

/** Collects while pages are rendered. */
export class SearchIndex {
  sections = [];

  add(page, html) {
    const kind = KINDS.find(([pattern]) => pattern.test(page.url))?.[1];
    if (kind === "api") this.#addExport(page, html);
    else if (kind) this.sections.push(...sectionsIn(page, kind, html));
  }

  #addExport({ url, model }, html) {
    if (model.parent?.isProject() || model.isProject()) return;
    const text = textOf(/<\/pre>[\s\S]*?<p>([\s\S]*?)<\/p>/.exec(html)?.[1] ?? "");
    this.sections.push({
      url,
      kind: "api",
      page: model.name,
      entry: model.parent.name,
      purpose: purposeOf(model),
      text,
    });
  }
}

/** The parts of a page between its headings, each with the heading's address. */
function sectionsIn({ url, model }, kind, html) {
  const parts = html.split(/(?=<h[1-3] id=")/);
  const rows = ROWS.test(url);
  return parts.flatMap((part) => {
    const [, level, id, heading = ""] = /^<h([1-3]) id="([^"]*)"[^>]*>([\s\S]*?)<\/h\1>/.exec(part) ?? [];
    if (level === undefined) return [];
    const table = rows ? rowsIn(url, model.name, part) : [];
    const text = textOf(
      (table.length > 0 ? part.replaceAll(/<table[\s\S]*?<\/table>/g, "") : part).slice(part.indexOf(`</h${level}>`)),
    );
    const address = level === "1" ? url : `${url}#${id}`;
    const title = level === "1" ? "" : textOf(heading);
    const words = wordsFor(address);
    return [{ url: address, kind, page: model.name, title, text, ...(words ? { words } : {}) }, ...table];
  });
}

/** The rows of a table that have an address, each by itself. */
function rowsIn(url, page, html) {
  return [...html.matchAll(/<tr>\s*<td id="([^"]+)">(.*?)<\/td>([\s\S]*?)<\/tr>/g)].map(([, id, title, cells]) => {
    return { url: `${url}#${id}`, kind: "row", page, title: textOf(title), text: textOf(cells) };
  });
}

function textOf(html) {
  return html
    .replaceAll(/<pre>[\s\S]*?<\/pre>|<svg[\s\S]*?<\/svg>/g, " ")
    .replaceAll(/<br\s*\/?>|<\/(p|li|td|th|h\d|pre|tr|dt|dd)>/g, " ")
    .replaceAll(/<[^>]+>/g, "")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ")
    .trim();
}
