/** What makes TypeDoc's output the site of this project: titles, addresses, navigation, header and search. */
import { Converter } from "typedoc";
import { nameDocument, nameModules } from "./names.js";
import { SiteRouter } from "./router.js";
import { weighDocument } from "./search.js";
import { SiteTheme } from "./theme.js";

/** TypeDoc calls it at its start; typedoc.json chooses what is defined here by its name. */
export function load(app) {
  app.renderer.defineRouter("site", SiteRouter);
  app.renderer.defineTheme("site", SiteTheme);
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_, document) => {
    nameDocument(document);
    weighDocument(document);
  });
  // After links are resolved: pages link to modules by the paths of their sources.
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => nameModules(project), -1_000);
}
