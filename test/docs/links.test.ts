import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";
import { read, root } from "../house/project.ts";
import { anchorsIn, linksIn } from "./links.ts";
import { pages } from "./pages.ts";

/** Why a link leads nowhere; undefined for one that does not, or that leaves the project. */
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

describe("the check", () => {
  test("sees links in text, lists and tables, and none in code", () => {
    const page =
      "[a](a.md) `[b](b.md)`\n\n- x [c](c.md#d)\n\n| t |\n| --- |\n| [e](e.md) |\n\n```text\n[f](f.md)\n```\n";
    expect(linksIn(page)).toEqual(["a.md", "c.md#d", "e.md"]);
  });

  test("makes anchors as GitHub does", () => {
    const page = "# The `a.b` of it\n\n## What — and why?\n\n## Twice\n\n## Twice\n";
    expect([...anchorsIn(page)]).toEqual(["the-ab-of-it", "what--and-why", "twice", "twice-1"]);
  });

  test("finds what leads nowhere", () => {
    expect(wrongWith("docs/guide/state.md", "no-such-page.md")).toContain("there is no docs/guide/no-such-page.md");
    expect(wrongWith("docs/guide/state.md", "#no-such-heading")).toContain("has no such heading");
  });
});
