import { describe, expect, test } from "vitest";
import { stateIn } from "../helpers/state-in.ts";
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

  test("has nothing to do when nothing changed, and leaves the state as it is, byte for byte", async () => {
    await publish();
    const before = await site.files(".engine");
    const { lines } = await site.run();
    expect(lines).toEqual([expect.stringMatching(new RegExp(`^site/dev up done in .*: ${all} unchanged$`))]);
    expect(await site.files(".engine")).toEqual(before);
    expect((await site.run({ flags: ["--read"] })).lines).toEqual([expect.stringContaining(`${all} read`)]);
    expect(await site.files(".engine")).toEqual(before);
  });

  test("--destroy takes everything away again: output and state", async () => {
    await publish();
    const { code, lines, stderr } = await site.run({ flags: ["--destroy"] });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(lines.at(-1)).toContain(`${all} deleted`);
    expect(await site.files("")).toEqual({ ...(await below("notes")), ...(await below(".engine")) });
    expect(await stateIn(site.root, "site")).toEqual({ recorded: [], pending: [], isOpen: false });
    expect(await publish()).toHaveLength(all);
  });
});

async function below(folder: string): Promise<Record<string, string>> {
  const files = Object.entries(await site.files(folder));
  return Object.fromEntries(files.map(([path, content]) => [`${folder}/${path}`, content]));
}
