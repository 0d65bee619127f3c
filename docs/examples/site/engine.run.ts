/**
 * Publishes a folder of Markdown files as a static site: one resource a page, and an index of them all. Sub-folders are
 * sections, each with a scope of its own; files that are not Markdown are copied.
 *
 *     npm run example                          publishes docs/guide
 *     npm run example -- -- notes public       publishes notes into public
 *     npm run example -- --destroy             takes everything away again
 */
import { engine } from "scope-engine";
import { CopyFile, File, Folder, RandomString } from "scope-engine/resources";
import { addressOf, indexFile, readSection, type Section } from "./content.js";
import { indexPage, markdownPage } from "./pages.js";
import { css } from "./style.js";

const [input = "docs/guide", output = "docs/examples/site/dist"] = argumentsAfterDashes();

const app = await engine("site");
const content = await readSection(app.rootDir, input);
// A text in any case: a plan of the first run knows nothing of the value yet, and puts a marker there.
const build = String((await RandomString("build", { length: 8 })).value);
const site = await Folder("output", { path: output });
await File("site.css", { path: `${site.path}/site.css`, content: css });
await publish(content, site.path);
await File("index", { path: `${site.path}/index.html`, content: indexPage(content, build) });
await app.finalize();

/** Declares the contents of a section; each sub-folder is declared in a scope of its name. */
async function publish(section: Section, folder: string): Promise<void> {
  for (const page of section.pages.filter((one) => one !== indexFile(content))) {
    await File(page.file, { path: `${folder}/${addressOf(page)}`, content: markdownPage(page, section, build) });
  }
  for (const asset of section.assets) {
    await CopyFile(asset, { from: `${section.folder}/${asset}`, to: `${folder}/${asset}` });
  }
  for (const child of section.sections) {
    const { path } = await Folder(child.name, { path: `${folder}/${child.name}` });
    await engine.run(child.name, () => publish(child, path));
  }
}

function argumentsAfterDashes(): string[] {
  const dashes = process.argv.indexOf("--");
  return dashes < 0 ? [] : process.argv.slice(dashes + 1);
}
