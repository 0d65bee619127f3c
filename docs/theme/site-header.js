/** The line at the top: name of the site, links, search, and colours. */
import { h, icon } from "./jsx.js";
import { logo } from "./logo.js";

/** Links of the header, and the addresses that belong to each: of pages, or of the groups that contain them. */
const LINKS = [
  ["Guide", "guide/getting-started.html", /^(guide\/|concepts|guides|comparison)/],
  ["Reference", "reference.html", /^reference/],
  ["API", "modules.html", /^(modules|api\/)/],
  ["Changelog", "changelog.html", /^changelog/],
];

/** @param map undefined for the page of unknown addresses */
export function siteHeader(context, page, map) {
  const to = (path) => context.relativeURL(path);
  const part = map?.trail(page.url)[0]?.url ?? page.url;
  return h(
    "header",
    { class: "top" },
    h(
      "button",
      { class: "quiet menu", type: "button", popovertarget: "side", "aria-label": "Pages" },
      icon("M3 6h14", "M3 10h14", "M3 14h14"),
    ),
    h("a", { class: "brand", href: to("index.html") }, logo(), h("span", null, "scope-engine")),
    h("a", { class: "version", href: to("changelog.html"), title: "What changed" }, `v${page.project.packageVersion}`),
    h(
      "nav",
      { class: "links", "aria-label": "Parts of the site" },
      LINKS.map(([text, path, isIn]) =>
        h("a", { href: to(path), "aria-current": isIn.test(part) ? "true" : undefined }, text),
      ),
    ),
    h(
      "button",
      { class: "search-open", type: "button", "aria-label": "Search", "aria-keyshortcuts": "Control+K /" },
      icon("M9 3.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 0 1 0-11z", "M13 13l4 4"),
      h("span", null, "Search"),
      h("kbd", null, "Ctrl K"),
    ),
    h(
      "button",
      { class: "quiet colors", type: "button", "aria-label": "Light or dark" },
      icon("M10 3a7 7 0 1 0 7 7a5.2 5.2 0 0 1-7-7z"),
    ),
  );
}
