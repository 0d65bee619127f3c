import { describe, expect, it } from "vitest";
import { filmOf } from "./film.ts";
import type { Screen } from "./screen.ts";

const screen = (...rows: readonly string[]): Screen => ({
  rows: rows.map((text) => (text === "" ? [] : [{ text, look: "" }])),
  cursor: { row: rows.length - 1, column: rows.at(-1)?.length ?? 0 },
});
const prompt = screen("$ ", "");
const step = (caption: string, frames: readonly (readonly [number, Screen])[]) => ({
  caption,
  isNewScreen: false,
  typed: { command: "ls", screen: { ...screen("$ ls", ""), cursor: { row: 0, column: 4 } } },
  frames: frames.map(([at, screen]) => ({ at, screen })),
  hold: 1000,
});

describe("a film", () => {
  const film = filmOf({
    first: prompt,
    steps: [
      step("first", [
        [100, screen("$ ls", "half")],
        [110, screen("$ ls", "file")],
        [9_000, screen("$ ls", "other")],
      ]),
    ],
  });
  const rows = film.rows.map(({ of, from, to }) => [of.row[0]?.text, to - from]);

  it("shows a row once for as long as it stays", () => {
    expect(rows).toEqual([
      ["$ ", expect.any(Number)],
      ["$ ls", film.duration - (film.rows[0]?.to ?? 0)],
      ["file", expect.any(Number)],
      ["other", expect.any(Number)],
    ]);
  });

  it("leaves out what is there for a moment, and makes long waits short", () => {
    expect(rows.map(([text]) => text)).not.toContain("half");
    expect(rows.at(-2)?.[1]).toBeLessThan(500);
  });

  it("has a command typed letter by letter, before what comes of it", () => {
    const [typing] = film.typings;
    expect(typing?.of).toEqual({ y: 0, column: 2, length: 2 });
    expect(typing?.to).toBeLessThan(film.rows.find(({ of }) => of.row[0]?.text === "file")?.from ?? 0);
  });

  it("has a caption for as long as it holds, and ends after the last screen was looked at", () => {
    expect(film.captions).toEqual([{ of: "first", from: 0, to: film.duration }]);
    expect(film.duration - (film.rows.at(-1)?.from ?? 0)).toBeGreaterThan(1000);
  });
});
