/** Stable addresses: a page has the path of its Markdown file, whatever its heading says. */
import { relative } from "node:path";
import { KindRouter } from "typedoc";

/** Pages have addresses like `guide/state.html`; exports have addresses like `api/functions/…`. */
export class SiteRouter extends KindRouter {
  getIdealBaseName(reflection) {
    if (!reflection.isDocument()) return `api/${super.getIdealBaseName(reflection)}`;
    const path = reflection.project.files.getReflectionPath(reflection);
    const address = relative("docs", path).replaceAll("\\", "/");
    return address
      .replace(/^(\.\.|pages)\//, "")
      .replace(/\.md$/, "")
      .toLowerCase();
  }
}
