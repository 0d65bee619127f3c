/** Turns TypeDoc's output into the site of this project: titles, addresses, pages, and the files beside them. */
import { Application, Converter, RendererEvent } from "typedoc";
import { prepareMarkdown } from "./markdown.js";
import { nameDocument, nameModules } from "./names.js";
import { SiteRouter } from "./router.js";
import { finishSite } from "./site-files.js";
import { SiteTheme } from "./theme.js";

/** TypeDoc calls it when it starts; typedoc.json chooses the parts defined here by name. */
export function load(app) {
  app.renderer.defineRouter("site", SiteRouter);
  app.renderer.defineTheme("site", SiteTheme);
  app.on(Application.EVENT_BOOTSTRAP_END, () => app.options.setValue("markdownItLoader", prepareMarkdown));
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_, document) => nameDocument(document));
  // After links are resolved: pages link to modules by the paths of their sources.
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => nameModules(project), -1_000);
  // After TypeDoc has written the files of its default theme, which this one does not need.
  app.renderer.on(RendererEvent.END, (event) => finishSite(event, app.renderer.theme, app.logger), -1_000);
}
