import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { filesBelow, read } from "../house/project.ts";
import { linksIn } from "./links.ts";

const isPage = (path: string): boolean => path.endsWith(".md");
const { projectDocuments, readme }: { projectDocuments: string[]; readme: string } = JSON.parse(read("typedoc.json"));
const groups = filesBelow("docs/pages", isPage).filter((path) => path !== readme);

/** Pages of a group, from the root. */
function childrenOf(group: string): string[] {
  const [, frontMatter = ""] = read(group).split("---\n");
  const { children = [] }: { children?: string[] } = parse(frontMatter) ?? {};
  return children.map((path) => path.replace(/^\.\./, "docs"));
}

describe("the pages of the site", () => {
  test("are each in one place of the navigation", () => {
    const shown = [...projectDocuments.filter((path) => !groups.includes(path)), ...groups.flatMap(childrenOf)];
    const there = ["docs/guide", "docs/decisions", "docs/internals"]
      .flatMap((folder) => filesBelow(folder, isPage))
      .sort();
    expect(shown.filter((path) => path !== "CHANGELOG.md").sort()).toEqual(there);
  });

  test("are in groups that the site has", () => {
    expect(projectDocuments.filter((path) => groups.includes(path)).sort()).toEqual(groups);
  });

  test.each(groups)("are described by %s, in its order", (group) => {
    const links = linksIn(read(group).replace(/^---\n[\s\S]*?\n---\n/, "")).map((path) =>
      path.replace(/^\.\./, "docs"),
    );
    expect(links).toEqual(childrenOf(group));
  });

  test.each(filesBelow("docs/guide", isPage))("%s begins with its title, without front matter", (page) => {
    expect(read(page)).toMatch(/^# \S/);
  });
});
