import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { type Block, blocksIn, KNOWN_MARKS, notPrinted } from "./blocks.ts";
import { blocks } from "./pages.ts";
import { notRun } from "./reasons.ts";

const languages = new Set(["ts", "js", "sh", "json", "yaml", "text", "diff"]);
const placesOf = (found: readonly Block[]): string[] => found.map(({ place }) => place);
const isData = ({ language }: Block): boolean => language === "json" || language === "yaml";

function wrongIn({ language, code }: Block): readonly string[] {
  try {
    if (language === "json") JSON.parse(code);
    return language === "json" ? [] : parseAllDocuments(code).flatMap(({ errors }) => errors.map(String));
  } catch (error) {
    return [String(error)];
  }
}

describe("the blocks of the pages", () => {
  test("name a language that somebody checks", () => {
    expect(blocks.length).toBeGreaterThan(60);
    expect(placesOf(blocks.filter(({ language }) => !languages.has(language)))).toEqual([]);
  });

  test("have marks that mean something", () => {
    const odd = blocks.filter(({ marks }) => [...marks].some((mark) => !KNOWN_MARKS.has(mark)));
    expect(placesOf(odd)).toEqual([]);
  });

  test("are run where they are programs, or say why not", () => {
    const programs = blocks.filter(({ language }) => language === "ts" || language === "js");
    const unmarked = programs.filter(({ marks }) => marks.has("runnable") === marks.has("checked"));
    expect(placesOf(unmarked)).toEqual([]);
    const checked = programs.filter(({ marks }) => marks.has("checked"));
    const reasons = Object.entries(notRun).flatMap(([page, lines]) => Object.keys(lines).map((line) => [page, line]));
    const has = ({ page, code }: Block): boolean =>
      reasons.some(([at, line = ""]) => at === page && code.includes(line));
    expect(placesOf(checked.filter((block) => !has(block)))).toEqual([]);
    const used = reasons.filter(([at, line = ""]) => checked.some((one) => one.page === at && one.code.includes(line)));
    expect(reasons).toEqual(used);
  });

  test("parse where they are data", () => {
    const wrong = blocks.filter(isData).flatMap((block) => wrongIn(block).map((why) => `${block.place}: ${why}`));
    expect(wrong).toEqual([]);
  });
});

describe("the check", () => {
  test("reads blocks and their marks", () => {
    const page = "# P\n\n```ts runnable s3 file=app.ts\na;\n```\n\n```sh runnable exit=2\nb\n```\n\n```\nc\n```\n";
    const found = blocksIn("p.md", page).map(({ place, language, marks, file, exit, code }) => {
      return { place, language, marks: [...marks], file, exit, code };
    });
    expect(found).toEqual([
      { place: "p.md:3", language: "ts", marks: ["runnable", "s3"], file: "app.ts", exit: 0, code: "a;\n" },
      { place: "p.md:7", language: "sh", marks: ["runnable"], file: undefined, exit: 2, code: "b\n" },
      { place: "p.md:11", language: "", marks: [], file: undefined, exit: 0, code: "c\n" },
    ]);
    expect(() => blocksIn("p.md", "```ts\na;\n")).toThrow("p.md:1");
  });

  test("finds what was not printed", () => {
    expect(notPrinted("x(); // → one\n// → two\n# → three\n", "one\nthree two\n")).toEqual(["three"]);
  });

  test("finds data that does not parse", () => {
    const broken = blocksIn("p.md", '```json\n{ "a": }\n```\n```yaml\na: [1\n```\n');
    expect(broken.map((block) => wrongIn(block).length > 0)).toEqual([true, true]);
  });
});
