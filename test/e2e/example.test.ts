import { describe, expect, test } from "vitest";
import { all, publish, site } from "./example-notes.ts";

const timeout = 120_000;

describe("the example", { timeout }, () => {
  test("publishes a folder of Markdown as a site", async () => {
    await site.write("notes/index.md", "# The *notes*\n\nHello.\n");
    await site.write(
      "notes/links.md",
      "[a](guides/page-1.md) [b](./page-2.md#Text) [c](https://example.com/x.md)\n\n## Two words\n\n## Two words\n",
    );
    const made = await publish();
    expect(made).toHaveLength(all + 1);
    expect(made).toContain("created guides/deep er/page-7.md");
    const page = await site.read("public/guides/deep er/page-7.html");
    expect(page).toContain("<title>Page 7 of guides/deep er/</title>");
    expect(page).toContain('<link rel="stylesheet" href="../../site.css">');
    expect(page).toContain('<a href="page-8.html#x">next</a>');
    const links = await site.read("public/links.html");
    for (const href of ["guides/page-1.html", "./page-2.html#Text", "https://example.com/x.md"]) {
      expect(links).toContain(`href="${href}"`);
    }
    expect(links).toMatch(/id="two-words"[\s\S]*id="two-words-1"/);
    const index = await site.read("public/index.html");
    expect(index).toMatch(/<title>The notes<\/title>[\s\S]*<p>Hello\.<\/p>/);
    expect(index).toContain('href="guides/deep%20er/page-7.html">Page 7 of guides/deep er/</a>');
    const builds = new Set([page, links, index].map((html) => /Build (\w{8})</.exec(html)?.[1]));
    expect(builds.size).toBe(1);
    const published = await site.files("public");
    const source = await site.files("notes");
    for (const asset of ["guides/logo.png", "ünïcödé/ä ß.bin"]) expect(published[asset]).toBe(source[asset]);
  });
});
