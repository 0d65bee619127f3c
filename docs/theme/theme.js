/** TypeDoc's default theme with a header that leads somewhere, and a navigation of pages first and modules behind. */
import { DefaultTheme, JSX, ReflectionKind } from "typedoc";

/** Links of the header, as addresses from the root of the site. */
const HEADER = {
  "Getting started": "guide/getting-started.html",
  Guides: "guides.html",
  Reference: "reference.html",
  API: "modules.html",
};

/** The theme that typedoc.json names. */
export class SiteTheme extends DefaultTheme {
  getRenderContext(page) {
    const context = super.getRenderContext(page);
    const { toolbar } = context;
    context.toolbar = (props) => withLinks(toolbar(props), linksOf(context));
    context.navigation = () => navigation(context, page);
    return context;
  }

  /** Pages in the order of typedoc.json, those of a group below it; then the modules below one entry. */
  buildNavigation(project) {
    const entries = super.buildNavigation(project);
    const isPage = ({ kind }) => kind === ReflectionKind.Document;
    const api = { text: "API", path: "modules.html", children: entries.filter((entry) => !isPage(entry)) };
    return [...entries.filter(isPage), api];
  }
}

function linksOf(context) {
  return Object.entries(HEADER).map(([text, path]) =>
    JSX.createElement("a", { href: context.relativeURL(path) }, text),
  );
}

/** The same element, with the links in the place that TypeDoc keeps for them. */
function withLinks(element, links) {
  if (!element?.props) return element;
  if (element.props.id === "tsd-toolbar-links") return { ...element, children: links };
  return { ...element, children: element.children.map((child) => withLinks(child, links)) };
}

function navigation(context, page) {
  const home = { href: context.relativeURL("index.html"), class: page.url === "index.html" ? "current" : undefined };
  return JSX.createElement(
    "nav",
    { class: "tsd-navigation", "aria-label": "Pages" },
    JSX.createElement("a", home, "Home"),
    JSX.createElement(
      "ul",
      { class: "tsd-small-nested-navigation", id: "tsd-nav-container" },
      JSX.createElement("li", null, "Loading…"),
    ),
  );
}
