import { describe, expect, test } from "vitest";
import { filesBelow, read } from "./project.ts";

const longest = 250;

function lineCount(text: string): number {
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}

function tooLong(sizes: ReadonlyMap<string, number>): string[] {
  return [...sizes].filter(([, lines]) => lines > longest).map(([file, lines]) => `${file} has ${lines} lines`);
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * part)] ?? 0;
}

const isCode = (path: string): boolean => /\.(ts|tsx|mts|mjs|js)$/.test(path);
const sizesOf = (folders: readonly string[]): Map<string, number> =>
  new Map(folders.flatMap((folder) => filesBelow(folder, isCode)).map((file) => [file, lineCount(read(file))]));

describe("the project", () => {
  test(`has no file of more than ${longest} lines`, ({ task }) => {
    const published = [...sizesOf(["core", "plugins", "adapters"]).values()];
    task.meta.note = `${published.length} source files: median ${quantile(published, 0.5)} lines, 90th percentile ${quantile(published, 0.9)}, longest ${quantile(published, 1)}`;
    expect(tooLong(sizesOf(["core", "plugins", "adapters", "test", "docs/examples"]))).toEqual([]);
  });
});

describe("the check", () => {
  test("finds a file that is one line too long", () => {
    const text = (lines: number) => "x\n".repeat(lines);
    const sizes = new Map([250, 251].map((lines) => [`${lines}.ts`, lineCount(text(lines))] as const));
    expect(tooLong(sizes)).toEqual(["251.ts has 251 lines"]);
  });

  test("computes quantiles", () => {
    expect([0, 0.5, 0.9, 1].map((part) => quantile([5, 1, 4, 2, 3], part))).toEqual([1, 3, 4, 5]);
    expect(quantile([], 0.5)).toBe(0);
  });
});
