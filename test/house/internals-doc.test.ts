import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { filesBelow, read, root } from "./project.ts";

const pages = filesBelow("docs/internals", (path) => path.endsWith(".md")).concat(".github/CONTRIBUTING.md");

test.each(pages)("%s names files and folders that exist", (page) => {
  const named = read(page).match(
    /(?<=`)(core|plugins|adapters|docs|test|\.github)\/[\w./-]*(?=`)|\b(core|plugins|adapters|test)\/[\w./-]*\.ts\b/g,
  );
  const paths = (named ?? []).filter((path) => !path.includes("NAME"));
  expect(paths.length).toBeGreaterThan(5);
  expect(paths.filter((path) => !existsSync(root + path))).toEqual([]);
});
