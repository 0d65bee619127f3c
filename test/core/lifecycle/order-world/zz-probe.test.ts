import fc from "fast-check";
import { test } from "vitest";
import { histories, steadyHistories } from "./history.ts";
import { live } from "./live.ts";

const N = Number(process.env.N ?? 5000);
const H = process.env.STEADY ? steadyHistories : histories;
const kinds = (process.env.KINDS ?? "uses,refs,child").split(",");
test("probe", () => {
  const counts: Record<string, number> = {};
  const t = Date.now();
  let n = 0;
  const seed = Number(process.env.SEED ?? 1);
  const bump = (k: string) => {
    counts[k] = (counts[k] ?? 0) + 1;
  };
  const d = fc.check(
    fc.property(H, (chapters) => {
      n++;
      const v = live(chapters);
      if (v.moves) bump("moved");
      if (v.idleMoves) bump("idle");
      const s = new Set<string>(v.early.map((e) => e.because));
      for (const k of s) bump(k);
      if (v.idleMoves) s.add("idle");
      if (v.moves) s.add("moves");
      return !(process.env.SHRINK && kinds.some((k) => s.has(k)));
    }),
    { numRuns: N, seed },
  );
  console.log(counts, n, Date.now() - t);
  if (d.failed) {
    const v = live(d.counterexample![0]);
    console.log(
      d.numRuns,
      d.numShrinks,
      JSON.stringify(v.early.filter((e) => kinds.includes(e.because))) + "\n" + v.trace.join("\n"),
    );
  }
}, 1e9);
