import { describe, expect, it } from "vitest";
import { rangeOf, scaleTo } from "./axes.js";
import { figureOf, linesOf } from "./figure.js";
import { type Report, resultOf } from "./report.js";
import { ALL_ROWS } from "./rows.js";
import { spread } from "./spread.js";
import { element, text } from "./svg.js";

const took = (totalMs: number) => ({ median: { totalMs }, runs: [] });
const rows = ALL_ROWS.map((row) => resultOf(row, { ours: took(50), alchemy: { notRun: "over 120 s" } }));
const report: Report = {
  machine: "",
  node: "",
  runs: 1,
  peers: { alchemy: "", opentofu: "" },
  floor: { freshUs: 1, warmUs: 1 },
  rows,
};

describe("the figure", () => {
  it("has a line for each operation and side that was measured, by size", () => {
    const lines = linesOf(report);
    expect(lines.map(({ side, operation }) => `${side} ${operation}`)).toEqual([
      "ours create",
      "ours unchanged",
      "ours destroy",
    ]);
    expect(lines[0]?.points).toEqual([
      { n: 100, us: 500 },
      { n: 1_000, us: 50 },
      { n: 10_000, us: 5 },
      { n: 100_000, us: 0.5 },
    ]);
  });

  it("tells those who do not see it what it shows", () => {
    const svg = figureOf(report);
    expect(svg).toContain('role="img" aria-labelledby="title desc"');
    expect(svg).toContain("scope-engine, create: 500 at 100, 50 at 1,000, 5 at 10,000, 1 at 100,000.");
    expect(svg).toMatch(/<title id="title">[^<]+<\/title>/);
  });

  it("is refused where there is nothing to draw", () => {
    expect(() => figureOf({ ...report, rows: [] })).toThrow("Nothing to draw");
  });
});

describe("markup", () => {
  it("takes any text, also in attributes", () => {
    const hostile = 'a < b & "c" > d';
    const safe = "a &lt; b &amp; &quot;c&quot; &gt; d";
    expect(text(hostile)).toBe(safe);
    expect(element("text", { id: hostile }, [text(hostile)])).toBe(`<text id="${safe}">${safe}</text>`);
  });
});

describe("logarithmic axes", () => {
  it("go from the power of ten below to that above", () => {
    expect(rangeOf([100, 99_999])).toEqual([100, 1_000, 10_000, 100_000]);
    expect(rangeOf([42])).toEqual([10, 100]);
    expect(rangeOf([100])).toEqual([100, 1_000]);
  });

  it("put each power of ten as far from the next one", () => {
    const scale = scaleTo([10, 100, 1_000], 300, 100);
    expect([10, 100, 1_000].map(scale.at)).toEqual([300, 200, 100]);
  });
});

describe("labels", () => {
  it("move apart, in their order, within the room", () => {
    expect(spread([50, 52, 10], { gap: 20, from: 0, to: 100 })).toEqual([50, 70, 10]);
    expect(spread([98, 99], { gap: 20, from: 0, to: 100 })).toEqual([80, 100]);
    expect(spread([1, 0], { gap: 20, from: 0, to: 100 })).toEqual([20, 0]);
  });
});
