import { expect, test } from "vitest";
import { MATRIX, mistakesIn } from "../matrix.mjs";
import { filesBelow, read } from "./project.ts";

test("each matrix test proves a path of the table, and each row of the table has tests", () => {
  const files = filesBelow("test", (path) => path.endsWith(".matrix.test.ts"));
  expect(files.length).toBeGreaterThan(100);
  expect(mistakesIn(files)).toEqual({ unused: [], missing: [] });
});

test("CONTRIBUTING shows each path of the table", () => {
  const page = read(".github/CONTRIBUTING.md");
  expect(Object.keys(MATRIX).filter((path) => !page.includes(`| \`${path}\` |`))).toEqual([]);
});
