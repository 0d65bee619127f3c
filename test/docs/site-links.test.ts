/** The check of the links of the built site, which `npm run docs` ends with. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { read, root } from "../house/project.ts";

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "site-"));
  await mkdir(join(folder, "guide"));
  await writeFile(join(folder, "style.css"), "");
});
afterEach(() => rm(folder, { recursive: true }));

interface Links {
  readonly pages: number;
  readonly dead: readonly string[];
}

async function linksOf(pages: Readonly<Record<string, readonly string[]>>): Promise<Links> {
  for (const [name, links] of Object.entries(pages)) {
    const anchors = links.map((href) => `<a class="x" href="${href}">x</a>`);
    await writeFile(join(folder, name), `<h1 id="top">x</h1><h2 id="ä">x</h2>${anchors.join("")}`);
  }
  const { linksIn }: { linksIn(folder: string): Links } = await import(`${root}test/docs/site-links.mjs`);
  return linksIn(folder);
}

test("leaves links that lead to a page, a part of one, a file or another site", async () => {
  const links = [
    "guide/a.html",
    "guide/a.html#top",
    "#top",
    "guide/a.html#%C3%A4",
    "style.css",
    "https://example.com/x",
  ];
  expect(await linksOf({ "index.html": links, "guide/a.html": ["../index.html"] })).toEqual({ pages: 2, dead: [] });
});

test("tells links that lead nowhere, with their page, each once", async () => {
  const links = ["b.html", "b.html", "../index.html#none", "#none", "../style.css#top"];
  expect(await linksOf({ "index.html": [], "guide/a.html": links })).toEqual({
    pages: 2,
    dead: ["b.html", "../index.html#none", "#none", "../style.css#top"].map((href) => `guide/a.html: ${href}`),
  });
});

test("is the end of the script that builds the site, and so one of the checks of npm test", () => {
  expect(JSON.parse(read("package.json")).scripts.docs).toMatch(
    /^typedoc && node test\/docs\/site-links\.mjs docs\/site$/,
  );
  expect(read("test/run.mjs")).toContain('{ script: "docs" }');
});
