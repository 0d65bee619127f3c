import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { read, root } from "../house/project.ts";
import { anchorsIn, linksIn } from "./links.ts";
import { pages } from "./pages.ts";

/** The reason why a link is broken; undefined if it is not, or if it leaves the project. */
function wrongWith(page: string, link: string): string | undefined {
  if (/^(https?|mailto):/.test(link)) return undefined;
  const [path = "", anchor] = link.split("#", 2);
  const target = path === "" ? page : normalize(join(dirname(page), path));
  if (!existsSync(root + target)) return `${page}: ${link}: there is no ${target}`;
  if (anchor === undefined || !target.endsWith(".md") || anchorsIn(read(target)).has(anchor)) return undefined;
  return `${page}: ${link}: ${target} has no such heading`;
}

describe("the links of the pages", () => {
  test("lead to files and headings that there are", () => {
    const links = pages.flatMap((page) => linksIn(read(page)).map((link) => ({ page, link })));
    expect(links.length).toBeGreaterThan(200);
    expect(links.flatMap(({ page, link }) => wrongWith(page, link) ?? [])).toEqual([]);
  });
});
