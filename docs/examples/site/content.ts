/** The content to publish: a folder, read into sections, pages and assets. */
import { readdir, readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import { titleOf } from "./markdown.js";

export interface Section {
  /** Name of its folder. */
  readonly name: string;
  /** Path of its folder, from the root folder of the project. */
  readonly folder: string;
  /** Folders between it and the top of the site. */
  readonly depth: number;
  readonly pages: readonly Page[];
  /** Names of the files that are not Markdown. */
  readonly assets: readonly string[];
  readonly sections: readonly Section[];
}

export interface Page {
  /** E.g. `intro.md`. */
  readonly file: string;
  readonly title: string;
  readonly markdown: string;
}

/** Reads a folder and all below it, in the order of the names; hidden files are left out. */
export async function readSection(rootDir: string, folder: string, depth = 0): Promise<Section> {
  const pages: Page[] = [];
  const assets: string[] = [];
  const sections: Section[] = [];
  const entries = await readdir(join(rootDir, folder), { withFileTypes: true });
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const { name } = entry;
    if (name.startsWith(".")) continue;
    const path = posix.join(folder, name);
    if (entry.isDirectory()) sections.push(await readSection(rootDir, path, depth + 1));
    else if (name.endsWith(".md")) pages.push(await readPage(join(rootDir, path), name));
    else if (entry.isFile()) assets.push(name);
  }
  return { name: posix.basename(folder), folder, depth, pages, assets, sections };
}

/** The page that opens the index, if there is one. */
export function indexFile({ pages }: Section): Page | undefined {
  return pages.find(({ file }) => file === "index.md");
}

/** Name of the HTML file that a page becomes. */
export function addressOf({ file }: Page): string {
  return file.replace(/\.md$/, ".html");
}

async function readPage(path: string, file: string): Promise<Page> {
  const markdown = await readFile(path, "utf8");
  return { file, title: titleOf(markdown) ?? file.replace(/\.md$/, ""), markdown };
}
