import { describe, expect, test } from "vitest";
import { lineDiff } from "../../../plugins/internal/render/line-diff.js";

const numbered = (count: number): string[] => [...Array(count).keys()].map((n) => `line ${n}`);

describe("the lines that differ between two texts", () => {
  test("stand between two that do not, and the rest is left out", () => {
    const before = numbered(12);
    const after = before.with(5, "other").toSpliced(9, 1);
    expect(lineDiff(before.join("\n"), `${after.join("\n")}\n`, false)).toEqual([
      "…",
      "  line 3",
      "  line 4",
      "- line 5",
      "+ other",
      "  line 6",
      "  line 7",
      "  line 8",
      "- line 9",
      "  line 10",
      "  line 11",
    ]);
  });

  test("are all of a text that comes or goes", () => {
    expect(lineDiff(undefined, "a\nb", false)).toEqual(["+ a", "+ b"]);
    expect(lineDiff("a\nb", undefined, false)).toEqual(["- a", "- b"]);
  });

  test("are the fewest, wherever lines were put in", () => {
    expect(lineDiff("a\nb\nc\nd", "b\nx\nc\na\nd", true)).toEqual(["- a", "  b", "+ x", "  c", "+ a", "  d"]);
  });

  test("are counted where they are many, and whole where that is asked for", () => {
    const text = [...numbered(100), "x".repeat(500)].join("\n");
    const some = lineDiff(undefined, text, false);
    expect(some).toHaveLength(41);
    expect(some.at(-1)).toBe("… 61 more lines");
    expect(lineDiff(undefined, text, true)).toHaveLength(101);
    expect(lineDiff("a\nb", `a\n${"x".repeat(500)}`, false).at(-1)).toHaveLength(200);
  });

  test("are few in a long text, wherever they are", () => {
    const lines = numbered(5_000);
    const changed = lines.with(0, "first").with(-1, "last");
    const some = lineDiff(lines.join("\n"), changed.join("\n"), false).filter((line) => /^[+-]/.test(line));
    expect(some).toEqual([`- ${lines[0]}`, "+ first", `- ${lines.at(-1)}`, "+ last"]);
  });

  test("are all where the texts are too long to compare", () => {
    const [before, after] = ["a", "b"].map((word) =>
      numbered(2000)
        .map((line) => `${word} ${line}`)
        .join("\n"),
    );
    expect(lineDiff(before, after, true)).toHaveLength(4000);
  });
});
