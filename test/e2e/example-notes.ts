/** The site of a folder of notes, made again for each test of a file. */
import { afterEach, beforeEach, expect } from "vitest";
import { ExampleSite, resourceLines } from "./example-site.ts";

const sections = ["", "guides/", "guides/deep er/", "ünïcödé/"];
export const perSection = 40;
/** Pages, and the other parts of the site: build, output folder, style sheet, index, three folders, two assets. */
export const all = sections.length * perSection + 9;

export let site: ExampleSite;
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

export async function publish(): Promise<string[]> {
  const { code, lines, stderr } = await site.run();
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return resourceLines(lines);
}
