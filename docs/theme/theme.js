/** The theme that typedoc.json names: TypeDoc renders Markdown, types and links; the site renders the rest. */
import { DefaultTheme, JSX, PageKind } from "typedoc";
import { declarationPage } from "./api/declaration.js";
import { entryPage } from "./api/entry.js";
import { overviewPage } from "./api/overview.js";
import { anchor, raw } from "./jsx.js";
import { layout } from "./layout.js";
import { SearchIndex } from "./search-index.js";
import { SiteMap } from "./site-map.js";

export class SiteTheme extends DefaultTheme {
  searchIndex = new SearchIndex();
  #map;

  constructor(renderer) {
    super(renderer);
    this.icons.anchor = anchor;
  }

  /** The pages and their order. */
  mapOf(project) {
    this.#map ??= new SiteMap(project, this.router);
    return this.#map;
  }

  /** Icons are part of the page, not of a file that it would have to load. */
  getRenderContext(page) {
    return Object.defineProperty(super.getRenderContext(page), "icons", { value: this.icons });
  }

  render(page) {
    const context = this.getRenderContext(page);
    const map = this.mapOf(page.project);
    const body = bodyOf(context, page, map);
    const html = withoutParameterLinks(JSX.renderElement(body));
    this.#keepAnchors(page, html);
    this.searchIndex.add(page, html);
    return `<!doctype html>${JSX.renderElement(layout({ context, page, map, body: raw(html) }))}\n`;
  }

  /**
   * TypeDoc checks links against headings only. A page also has the anchors that it keeps for old links: `<a id="…">`.
   */
  #keepAnchors({ model }, html) {
    const slugger = this.router.getSlugger(model);
    for (const [, id] of html.matchAll(/<a id="([\w-]+)"><\/a>/g)) slugger.slug(id);
  }
}

/** A type parameter is explained on the page itself, so it gets no link. */
function withoutParameterLinks(html) {
  return html.replaceAll(/<a [^>]*tsd-kind-type-parameter[^>]*>(.*?)<\/a>/g, "<span>$1</span>");
}

/** Before the layout: it fills the headings, which the layout shows. */
function bodyOf(context, page, map) {
  const { model, pageKind } = page;
  if (pageKind === PageKind.Index) return raw(context.markdown(model.readme ?? []));
  if (pageKind === PageKind.Document) return raw(context.markdown(model.content));
  if (model.isProject()) return overviewPage(context, map);
  return model.parent?.isProject() ? entryPage(context, model) : declarationPage(context, model);
}
