import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { stateIn } from "../helpers/state-in.ts";
import { ExampleSite, resourceLines } from "./example-site.ts";

const timeout = 120_000;
const sections = ["", "guides/", "guides/deep er/", "ünïcödé/"];
const perSection = 40;
/** Pages, and what else the site consists of: build, output folder, style sheet, index, three folders, two assets. */
const all = sections.length * perSection + 9;

let site: ExampleSite;
beforeEach(async () => {
  site = await ExampleSite.make();
  for (const section of sections) {
    for (let n = 0; n < perSection; n++) {
      await site.write(
        `notes/${section}page-${n}.md`,
        `# Page ${n} of ${section}\n\nText, [next](page-${n + 1}.md#x).\n`,
      );
    }
  }
  await site.write(
    "notes/guides/logo.png",
    Uint8Array.from({ length: 256 }, (_, byte) => byte),
  );
  await site.write("notes/ünïcödé/ä ß.bin", new Uint8Array(100_000));
});
afterEach(() => site.remove());

async function publish(): Promise<string[]> {
  const { code, lines, stderr } = await site.run();
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return resourceLines(lines);
}

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

  test("follows its input: a page edited, retitled, deleted, renamed; an asset changed; a section gone", async () => {
    await publish();
    await site.write("notes/guides/page-3.md", "# Page 3 of guides/\n\nOther text.\n");
    expect(await publish()).toEqual(["updated guides/page-3.md"]);
    expect(await site.read("public/guides/page-3.html")).toContain("Other text.");
    await site.write("notes/guides/page-3.md", "# Another title\n");
    expect(await publish()).toEqual(["updated guides/page-3.md", "updated index"]);
    await rm(join(site.root, "notes/page-5.md"));
    expect(await publish()).toEqual(["updated index", "deleted page-5.md"]);
    await rename(join(site.root, "notes/page-6.md"), join(site.root, "notes/page-6-new.md"));
    expect(await publish()).toEqual(["created page-6-new.md", "updated index", "deleted page-6.md"]);
    await site.write("notes/guides/logo.png", "new");
    expect(await publish()).toEqual(["updated guides/logo.png"]);
    await rm(join(site.root, "notes/guides/deep er"), { recursive: true });
    expect(await publish()).toHaveLength(perSection + 2);
    const files = await site.files("public");
    expect(Object.keys(files).filter((path) => /page-[56]\.html|deep er/.test(path))).toEqual([
      "guides/page-5.html",
      "guides/page-6.html",
      "ünïcödé/page-5.html",
      "ünïcödé/page-6.html",
    ]);
    expect(await site.read("public/index.html")).not.toContain("deep");
  });

  test("mends what was changed or deleted in the output, and leaves what the user has put there", async () => {
    await site.write("public/guides/mine.txt", "mine");
    await publish();
    await site.write("public/page-1.html", "changed");
    await rm(join(site.root, "public/page-2.html"));
    expect((await publish()).sort()).toEqual(["created page-2.md", "updated page-1.md"]);
    await rm(join(site.root, "notes/guides"), { recursive: true });
    await publish();
    expect(await site.read("public/guides/mine.txt")).toBe("mine");
    expect((await site.run({ flags: ["--destroy"] })).code).toBe(0);
    expect(await site.files("public")).toEqual({ "guides/mine.txt": "mine" });
  });

  test("refuses to overwrite a file of the user, prunes nothing then, and goes on once that is settled", async () => {
    await publish();
    await site.write("public/new.html", "mine");
    await site.write("notes/new.md", "# New\n");
    await rm(join(site.root, "notes/page-1.md"));
    const { code, stderr } = await site.run();
    expect(code).toBe(1);
    expect(stderr).toContain("FILE_EXISTS");
    expect(stderr).toContain('"public/new.html" exists');
    expect(await site.files("public")).toMatchObject({ "new.html": "mine", "page-1.html": expect.any(String) });
    expect((await site.run({ flags: ["--adopt"] })).code).toBe(0);
    expect(await site.read("public/new.html")).toContain("<h1");
  });

  test("--destroy takes everything away again: output and state", async () => {
    await publish();
    const { code, lines, stderr } = await site.run({ flags: ["--destroy"] });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(lines.at(-2)).toContain(`${all} deleted`);
    expect(lines.at(-1)).toContain("the process ends here");
    expect(await site.files("")).toEqual({ ...(await below("notes")), ...(await below(".engine")) });
    expect(await stateIn(site.root, "site")).toEqual({ recorded: [], pending: [], isOpen: false });
    expect(await publish()).toHaveLength(all);
  });

  test.each([1, 30, 100])("killed after %i lines, the next run completes it", async (killAfter) => {
    const { signal } = await site.run({ killAfter });
    expect(signal).toBe("SIGKILL");
    expect((await stateIn(site.root, "site")).recorded.length).toBeLessThan(all);
    const { code, lines, stderr } = await site.run();
    expect(code).toBe(0);
    expect(stderr).toContain("resuming after");
    expect(resourceLines(lines).length).toBeGreaterThan(0);
    await isComplete();
  });

  test.each([1, 100])("killed after %i lines of a destroy, the next one completes it", async (killAfter) => {
    await publish();
    await site.write("public/mine.txt", "mine");
    const { signal } = await site.run({ flags: ["--destroy"], killAfter });
    expect(signal).toBe("SIGKILL");
    expect((await site.run({ flags: ["--destroy"] })).code).toBe(0);
    expect(await site.files("public")).toEqual({ "mine.txt": "mine" });
    expect(await stateIn(site.root, "site")).toEqual({ recorded: [], pending: [], isOpen: false });
  });
});

async function below(folder: string): Promise<Record<string, string>> {
  const files = Object.entries(await site.files(folder));
  return Object.fromEntries(files.map(([path, content]) => [`${folder}/${path}`, content]));
}

/** The output is what an undisturbed run into an empty folder makes of the same input, and there is nothing left to do. */
async function isComplete(): Promise<void> {
  const output = await site.files("public");
  expect(await publish()).toEqual([]);
  await rm(join(site.root, ".engine"), { recursive: true });
  await rm(join(site.root, "public"), { recursive: true });
  await publish();
  expect(await site.files("public")).toEqual(output);
}
