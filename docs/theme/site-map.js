/** The pages of the site, their order, and the neighbours of each. */
import { sectionsOf } from "./api/sections.js";

/** A page of the navigation: `{ text, url, children }`. */
export class SiteMap {
  #order;

  constructor(project, router) {
    this.pages = (project.documents ?? []).map((document) => entryOf(document, router));
    const modules = (project.children ?? []).filter((child) => router.hasUrl(child));
    this.entries = modules.map((module) => moduleOf(module, router));
    this.#order = [...flat(this.pages), { text: "API", url: "modules.html" }, ...flat(this.entries)];
  }

  /** The previous and the next page; undefined at an end. */
  around(url) {
    const at = this.#order.findIndex((page) => page.url === url);
    return at < 0 ? {} : { previous: this.#order[at - 1], next: this.#order[at + 1] };
  }

  /** Titles of the groups that contain a page, and its own. */
  trail(url) {
    return trailIn([...this.pages, ...this.entries], url) ?? [];
  }
}

function entryOf(document, router) {
  const children = (document.children ?? []).map((child) => entryOf(child, router));
  return { text: document.name, url: router.getFullUrl(document), children };
}

function moduleOf(module, router) {
  const children = sectionsOf(module).flatMap(({ values }) =>
    values
      .filter((value) => !value.isReference())
      .map((value) => ({ text: value.name, url: router.getFullUrl(value), children: [] })),
  );
  return { text: module.name, url: router.getFullUrl(module), children };
}

function flat(pages) {
  return pages.flatMap((page) => [page, ...flat(page.children)]);
}

function trailIn(pages, url) {
  for (const page of pages) {
    if (page.url === url) return [page];
    const below = trailIn(page.children, url);
    if (below) return [page, ...below];
  }
  return undefined;
}
