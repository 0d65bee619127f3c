/** The footer of a page: previous and next page, link to the source, and version. */

import { h } from "./jsx.js";
import { editAddress, sourceOf } from "./source.js";

export function pageFooter(context, page, map) {
  const { previous, next } = map.around(page.url);
  const card = (target, label, rel) =>
    target
      ? h(
          "a",
          { class: rel, rel, href: context.relativeURL(target.url) },
          h("span", null, label),
          h("strong", null, target.text),
        )
      : undefined;
  return h(
    "footer",
    { class: "page-end" },
    edit(page),
    h(
      "nav",
      { class: "around", "aria-label": "Before and behind" },
      card(previous, "Previous", "prev"),
      card(next, "Next", "next"),
    ),
  );
}

/** A link if the package names its repository; otherwise the name of the file. */
function edit(page) {
  const source = sourceOf(page);
  if (source === undefined) return undefined;
  const address = editAddress(source);
  return h(
    "p",
    { class: "edit" },
    address ? h("a", { href: address }, "Edit this page") : ["Written in ", h("code", null, source)],
    ` · v${page.project.packageVersion}`,
  );
}

export function siteFooter(context, page) {
  const link = (text, path) => h("a", { href: context.relativeURL(path) }, text);
  return h(
    "footer",
    { class: "bottom", id: "bottom" },
    h("p", null, `scope-engine ${page.project.packageVersion} · Apache-2.0`),
    h(
      "p",
      null,
      link("Guide", "guide/getting-started.html"),
      link("API", "modules.html"),
      link("Errors", "guide/errors.html"),
      link("Decisions", "decisions.html"),
      link("Internals", "internals.html"),
      link("Changelog", "changelog.html"),
    ),
  );
}
