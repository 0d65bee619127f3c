import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { stateIn } from "../helpers/stores/state-in.ts";
import { all, perSection, publish, site } from "./example-notes.ts";
import { resourceLines } from "./example-site.ts";

const timeout = 120_000;

describe("the example, run again and destroyed", { timeout }, () => {
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

describe("the example, changed, hindered and killed", { timeout }, () => {
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

  test("repairs changed or deleted files in the output, and leaves the user's own files", async () => {
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

  test.each([1, 30, 100])("killed after %i lines, the next run completes it", async (killAfter) => {
    const killed = await site.run({ killAfter });
    expect([killed.signal, resourceLines(killed.lines).length]).toEqual(["SIGKILL", killAfter]);
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
    const killed = await site.run({ flags: ["--destroy"], killAfter });
    expect([killed.signal, resourceLines(killed.lines).length]).toEqual(["SIGKILL", killAfter]);
    expect((await site.run({ flags: ["--destroy"] })).code).toBe(0);
    expect(await site.files("public")).toEqual({ "mine.txt": "mine" });
    expect(await stateIn(site.root, "site")).toEqual({ recorded: [], pending: [], isOpen: false });
  });
});

/**
 * The output equals that of an undisturbed run into an empty folder with the same input, and another run changes
 * nothing.
 */
async function isComplete(): Promise<void> {
  const output = await site.files("public");
  expect(await publish()).toEqual([]);
  await rm(join(site.root, ".engine"), { recursive: true });
  await rm(join(site.root, "public"), { recursive: true });
  await publish();
  expect(await site.files("public")).toEqual(output);
}

async function below(folder: string): Promise<Record<string, string>> {
  const files = Object.entries(await site.files(folder));
  return Object.fromEntries(files.map(([path, content]) => [`${folder}/${path}`, content]));
}
