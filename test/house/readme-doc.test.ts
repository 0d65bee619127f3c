import { describe, expect, test } from "vitest";
import { difference } from "./doc-tables.ts";
import { filesBelow, read } from "./project.ts";

/** Build number, output folder, style sheet and index: what the example makes besides the pages. */
const BESIDES = 4;

const readme = read("README.md");
const pages = filesBelow("docs/guide", (path) => path.endsWith(".md"));

describe("README.md", () => {
  test("lists every page of the guide once, and no other", () => {
    const guide = readme.slice(readme.indexOf("## Guide"), readme.indexOf("Decisions, and what else"));
    const listed = [...guide.matchAll(/\]\((docs\/guide\/[^)#]+)\)/g)].map(([, page = ""]) => page);
    expect(difference(pages, listed)).toEqual({ undocumented: [], unknown: [] });
    expect(listed.length).toBe(new Set(listed).size);
  });

  test("says how many files the example makes", () => {
    expect(readme).toContain(`: ${filesBelow("docs/guide", () => true).length + BESIDES} created`);
  });
});
