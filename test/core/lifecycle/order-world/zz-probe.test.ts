import fc from "fast-check";
import { test } from "vitest";
import { history, live } from "/work/main/test/core/lifecycle/order-world/history.ts";
const N = Number(process.env.N ?? 5000);
const kinds = (process.env.KINDS ?? "uses").split(",");
test("probe", () => {
  const counts: Record<string, number> = {};
  let moved = 0;
  const t = Date.now();
  const seed = Number(process.env.SEED ?? 1);
  if (!process.env.SHRINK) {
    for (const chapters of fc.sample(history, { numRuns: N, seed })) {
      const v = live(chapters);
      if (v.moved) moved++;
      if (v.unchangedMoved) counts.unchanged = (counts.unchanged ?? 0) + 1;
      for (const s of new Set(v.early.map((e) => e.strength))) counts[s] = (counts[s] ?? 0) + 1;
    }
    console.log(counts, { moved, ms: Date.now() - t });
    return;
  }
  const d = fc.check(fc.property(history, (chapters) => {
    const v = live(chapters);
    return !v.early.some((e) => kinds.includes(e.strength)) && !(kinds.includes("unchanged") && v.unchangedMoved > 0);
  }), { numRuns: N, seed });
  if (d.failed) { const v = live(d.counterexample![0]); console.log(d.numRuns, d.numShrinks, JSON.stringify(v.early.filter((e)=>kinds.includes(e.strength))) + "\n" + v.trace.join("\n")); }
  else console.log("fine", d.numRuns, Date.now() - t);
}, 1e9);
