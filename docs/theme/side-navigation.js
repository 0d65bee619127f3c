/** The pages beside the text: those of the guide, or those of the API; on a phone they overlay it. */
import { entryGroups, sectionsOf, targetOf } from "./api/sections.js";
import { h } from "./jsx.js";

/** Open on every page: most readers look for these. */
const ALWAYS_OPEN = ["Concepts", "Guides"];

export function sideNavigation(context, page, map) {
  const isApi = /^(api\/|modules)/.test(page.url);
  return h(
    "nav",
    { id: "side", class: "side", popover: "auto", "aria-label": "Pages" },
    parts(context, page),
    isApi ? apiPages(context, page, map) : guidePages(context, page, map),
  );
}

/** Shows the links of the header if it is too narrow for them. */
function parts(context, page) {
  const link = (text, path) => h("li", null, pageLink(context, page, { text, url: path }));
  return h(
    "ul",
    { class: "parts" },
    link("Home", "index.html"),
    link("Guide", "guide/getting-started.html"),
    link("Reference", "reference.html"),
    link("API", "modules.html"),
  );
}

function guidePages(context, page, map) {
  const trail = map.trail(page.url).map(({ url }) => url);
  return h(
    "ul",
    { class: "tree" },
    map.pages.map((entry) => {
      if (entry.children.length === 0) return h("li", null, pageLink(context, page, entry));
      const isOpen = ALWAYS_OPEN.includes(entry.text) || trail.includes(entry.url);
      return h(
        "li",
        null,
        group(entry.text, isOpen, [{ text: "Overview", url: entry.url }, ...entry.children], context, page),
      );
    }),
  );
}

function apiPages(context, page, map) {
  const current = moduleOf(page.model);
  return h(
    "ul",
    { class: "tree" },
    h("li", null, pageLink(context, page, { text: "What it is for", url: "modules.html" })),
    entryGroups(map.entries).map(({ title, entries }) =>
      h(
        "li",
        null,
        h("h2", null, title),
        h(
          "ul",
          { class: "entries" },
          entries.map((entry) =>
            h(
              "li",
              null,
              pageLink(context, page, { ...entry, text: shorter(entry.text) }),
              entry.text === current?.name && symbols(context, page, current),
            ),
          ),
        ),
      ),
    ),
  );
}

/** The exports of a module, by purpose. */
function symbols(context, page, module) {
  return sectionsOf(module).map(({ title, values }) =>
    values.length === 0
      ? undefined
      : h(
          "ul",
          { class: "symbols" },
          h("li", { class: "label" }, title),
          values.map((value) =>
            h(
              "li",
              null,
              pageLink(context, page, { text: value.name, url: context.router.getFullUrl(targetOf(value)) }),
            ),
          ),
        ),
  );
}

function group(title, isOpen, entries, context, page) {
  return h(
    "details",
    isOpen ? { open: true } : null,
    h("summary", null, title),
    h(
      "ul",
      null,
      entries.map((entry) => h("li", null, pageLink(context, page, entry))),
    ),
  );
}

/** Shortened, because it stands below the name of the package. */
const shorter = (text) => text.replace(/^scope-engine\//, "");

function pageLink(context, page, { text, url }) {
  return h("a", { href: context.relativeURL(url), "aria-current": url === page.url ? "page" : undefined }, text);
}

function moduleOf(model) {
  if (model.isProject()) return undefined;
  return model.parent?.isProject() ? (model.isDocument() ? undefined : model) : moduleOf(model.parent);
}
