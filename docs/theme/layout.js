/** The frame around the text of every page: head, header, navigation, contents of the page, and the next pages. */
import { h, raw, together } from "./jsx.js";
import { pageFooter, siteFooter } from "./page-footer.js";
import { sideNavigation } from "./side-navigation.js";
import { siteHeader } from "./site-header.js";

/** Runs before the first paint: sets the colours that the reader chose. */
const CHOSEN_COLORS = `document.documentElement.dataset.theme=localStorage.getItem("theme")||"os"`;

const DESCRIPTION =
  "Manages resources in a hierarchy of scopes, from plain TypeScript, with state that is neither lost nor trampled.";

/** The whole document; `body` is rendered already. */
export function layout({ context, page, map, body }) {
  const isHome = page.url === "index.html";
  return h(
    "html",
    { lang: "en", "data-base": context.relativeURL("./") },
    head(context, titleOf(page), descriptionOf(page)),
    h(
      "body",
      { class: isHome ? "home" : "page" },
      h("a", { class: "skip", href: "#content" }, "Skip to the content"),
      siteHeader(context, page, map),
      isHome ? homeFrame(context, page, map, body) : pageFrame(context, page, map, body),
      siteFooter(context, page),
    ),
  );
}

/** The head of a document; `base` is the path from which scripts and styles are loaded. */
export function head(context, title, description) {
  const asset = (name) => context.relativeURL(`assets/${name}`);
  const font = (name) => ({ rel: "preload", as: "font", type: "font/woff2", crossorigin: "", href: asset(name) });
  return h(
    "head",
    null,
    h("meta", { charset: "utf-8" }),
    h("title", null, title),
    h("meta", { name: "description", content: description }),
    h("meta", { name: "viewport", content: "width=device-width, initial-scale=1" }),
    h("meta", { name: "color-scheme", content: "light dark" }),
    h("link", { rel: "icon", type: "image/svg+xml", href: asset("favicon.svg") }),
    h("link", font("fonts/hanken-grotesk.woff2")),
    h("link", font("fonts/jetbrains-mono.woff2")),
    h("link", { rel: "stylesheet", href: asset("site.css") }),
    // A table that is painted while it is still loading would move with each of its rows.
    h("link", { rel: "expect", href: "#bottom", blocking: "render" }),
    h("script", null, raw(CHOSEN_COLORS)),
    h("link", { rel: "modulepreload", href: asset("search.js") }),
    h("script", { type: "module", src: asset("site.js") }),
  );
}

function homeFrame(context, page, map, body) {
  return together(sideNavigation(context, page, map), h("main", { id: "content", class: "landing" }, body));
}

function pageFrame(context, page, map, body) {
  return h(
    "div",
    { class: "frame" },
    sideNavigation(context, page, map),
    h("main", { id: "content" }, h("article", { class: "text" }, body), pageFooter(context, page, map)),
    onThisPage(page),
  );
}

function onThisPage({ pageHeadings }) {
  const headings = pageHeadings.filter(({ level }) => level === 2 || level === 3);
  if (headings.length < 2) return h("aside", { class: "toc" });
  const link = ({ link: href, text, level }) => h("li", { class: `level-${level}` }, h("a", { href }, text));
  return h(
    "aside",
    { class: "toc" },
    h("nav", { "aria-label": "On this page" }, h("h2", null, "On this page"), h("ul", null, headings.map(link))),
  );
}

function titleOf({ url, model, project }) {
  if (url === "index.html") return "scope-engine: resources from plain TypeScript, with a state you can trust";
  return model.isProject() ? `API · ${project.name}` : `${model.name} · ${project.name}`;
}

function descriptionOf({ model }) {
  const parts = model.isDocument() ? model.content : model.comment?.summary;
  const text = (parts ?? []).map((part) => part.text).join("");
  const paragraph = text.replace(/^#.*$/m, "").trim().split(/\n\n/, 1)[0] ?? "";
  const plain = paragraph
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]/g, "")
    .replaceAll(/\s+/g, " ");
  return /^[\p{L}]/u.test(plain) && plain.length > 20 ? plain.slice(0, 200) : DESCRIPTION;
}
