/** Claims of pages about themselves: that a test proves a claim, that a list is complete, and its order. */
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { namesInTables, sectionOf } from "../../docs/tables/markdown.ts";
import { filesBelow, read, root } from "../house/project.ts";

const page = read("docs/guide/security.md");
const isThere = (name: string): boolean =>
  ["test", "matrix.test"].some((ending) => existsSync(`${root}test/${name}.${ending}.ts`));

/** `attacks/keyless`: a test without its ending. */
function testsNamedIn(text: string): string[] {
  return [...text.matchAll(/`([a-z0-9]+(?:\/[a-z0-9-]+)+)`/g)].map(([, name = ""]) => name);
}

test("each claim on security names tests that there are", () => {
  const names = [...new Set(testsNamedIn(page))];
  expect(names.length).toBeGreaterThan(15);
  expect(names.filter((name) => !isThere(name) && name !== "scope-engine/stages")).toEqual([]);
});

test.each(["Who attacks what", "What a seal proves"])("each claim below %s has a proof", (title) => {
  const [, ...claims] = sectionOf(page, title).split(/^- /m);
  const alone = claims.map((claim) => claim.split("\n\n")[0] ?? "");
  expect(alone.length).toBeGreaterThan(8);
  expect(alone.filter((claim) => testsNamedIn(claim).length === 0)).toEqual([]);
});

test("each error code of the page is met by a test", () => {
  const tests = filesBelow("test", (path) => path.endsWith(".test.ts"))
    .map(read)
    .join("\n");
  const codes = namesInTables(read("docs/guide/errors.md"), "code");
  expect(codes.length).toBeGreaterThan(50);
  expect(codes.filter((code) => !tests.includes(code))).toEqual([]);
});

test("the glossary is in alphabetical order, each word once", () => {
  const words = [...read("docs/guide/glossary.md").matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, word = ""]) =>
    word.toLowerCase(),
  );
  expect(words.length).toBeGreaterThan(40);
  expect(words).toEqual([...new Set(words)].sort());
});
