/**
 * The page for addresses that do not exist. A server shows it at any depth, so it finds the root of the site itself.
 */
import { JSX } from "typedoc";
import { h, raw } from "./jsx.js";
import { head } from "./layout.js";
import { siteFooter } from "./page-footer.js";
import { siteHeader } from "./site-header.js";

/** The path above the site's first folder, or else the folder of the page. */
const FIND_ROOT = `document.write('<base href="'+(location.pathname.replace(/(^.*?\\/)(guide|decisions|internals|api|media|assets)\\/.*$/,"$1").replace(/[^/]*$/,""))+'">')`;

export function notFoundPage(project) {
  const page = { url: "404.html", project };
  const context = { relativeURL: (url) => url };
  const html = h(
    "html",
    { lang: "en", "data-base": "./" },
    h("script", null, raw(FIND_ROOT)),
    head(context, "Not found · scope-engine", "This page is not there."),
    h(
      "body",
      { class: "page lost" },
      siteHeader(context, page),
      h(
        "main",
        { id: "content", class: "not-found" },
        h("p", { class: "code" }, "404"),
        h("h1", null, "There is no such page"),
        h(
          "p",
          null,
          "It may have moved, or the link was mistyped. Search finds pages by the words that you would use; or begin here:",
        ),
        h(
          "ul",
          null,
          h("li", null, h("a", { href: "guide/getting-started.html" }, "Getting started")),
          h("li", null, h("a", { href: "guides.html" }, "Guides")),
          h("li", null, h("a", { href: "reference.html" }, "Reference")),
          h("li", null, h("a", { href: "modules.html" }, "API")),
        ),
      ),
      siteFooter(context, page),
    ),
  );
  return `<!doctype html>${JSX.renderElement(html)}\n`;
}
