import { describe, expect, it } from "vitest";
import type { Measured, Outcome } from "./measured.js";
import { resultOf } from "./report.js";
import { ALL_ROWS, type Row } from "./rows.js";
import { duration, footOf, lineOf, tableOf } from "./table.js";

const took = (median: Measured): Outcome => ({ median, runs: [median] });
const row = (name: string): Row => {
  const found = ALL_ROWS.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no row ${name}.`);
  return found;
};

const create = row("create 1,000 all at once");
const large = row("create 100,000 one after the other");
const ours = took({ totalMs: 100, wallMs: 200, peakMb: 61 });

describe("the table", () => {
  it("has medians, ratios, and whether a target is met", () => {
    const met = resultOf(create, {
      ours,
      alchemy: took({ totalMs: 2_000 }),
      opentofu: took({ totalMs: 9, wallMs: 900 }),
    });
    const missed = resultOf(create, { ours, alchemy: took({ totalMs: 1_999 }) });
    expect(tableOf([met, missed])).toBe(
      `
| work                     |     ours | Alchemy 0.94.0 | ratio | OpenTofu 1.6.2 | ratio | µs each |  peak |       target |
| ------------------------ | -------- | -------------- | ----- | -------------- | ----- | ------- | ----- | ------------ |
| create 1,000 all at once | 100.0 ms |         2.00 s | 20.0× |         9.0 ms |  4.5× |   100.0 | 61 MB |    ≥ 20× met |
| create 1,000 all at once | 100.0 ms |         2.00 s | 20.0× |                |       |   100.0 | 61 MB | ≥ 20× MISSED |
`.trim(),
    );
  });

  it("says why a side was not run, and judges nothing by it", () => {
    const result = resultOf(create, { ours, alchemy: { notRun: "over 120 s" } });
    expect(lineOf(result)).toBe(
      "create 1,000 all at once   ours 100.0 ms   Alchemy 0.94.0 not run (over 120 s)   ≥ 20× not run",
    );
  });

  it("judges time and memory apart", () => {
    const result = resultOf(large, { ours: took({ totalMs: 20_001, peakMb: 600 }) });
    expect(result.targets).toEqual([
      { text: "≤ 20 s", verdict: "MISSED" },
      { text: "≤ 600 MB", verdict: "met" },
    ]);
    expect(resultOf(large, { ours: { notRun: "failed" } }).targets.map(({ verdict }) => verdict)).toEqual([
      "not run",
      "not run",
    ]);
  });

  it("counts the targets below it", () => {
    const rows = [resultOf(large, { ours: took({ totalMs: 20_001, peakMb: 600 }) })];
    const floor = { freshUs: 40, warmUs: 9.96 };
    const peers = { alchemy: "a", opentofu: "o" };
    const foot = footOf({ machine: "2 × CPU", node: "v20", runs: 5, peers, floor, rows });
    expect(foot).toContain("40.0 µs in a fresh process, 10.0 µs in a warm one");
    expect(foot).toContain("Targets: 1 met, 1 MISSED, 0 not run.");
  });

  it("writes durations for people", () => {
    expect([0.04, 999.94, 1_000].map(duration)).toEqual(["0.0 ms", "999.9 ms", "1.00 s"]);
  });
});
