import { expect, test } from "vitest";
import { MATRIX, matrixOf, mistakesIn } from "../matrix.mjs";
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

test("a path below two rows has the tests of the inner one, and a folder above them those of both", () => {
  expect(matrixOf(["plugins/cli/import/settle.ts"]).filters).toEqual(["test/plugins/import/"]);
  const both = matrixOf(["plugins/cli"]).filters;
  expect(both).toContain("test/plugins/import/");
  expect(both).toContain("test/plugins/cli/");
});
