// A program that stays and applies the same declarations again and again. Prints one line of JSON.
//   node --expose-gc resident.mjs --entry URL --n 100 --rounds 1000 --way generations|reapply
import { parseArgs } from "node:util";
import { since, usage } from "./usage.mjs";

/** Rounds before the heap is measured for the first time: the code is compiled then, and caches are full. */
const SETTLED = 100;

const { values } = parseArgs({
  options: {
    entry: { type: "string" },
    n: { type: "string", default: "100" },
    rounds: { type: "string", default: "1000" },
    // generations: the app is finalized and run again; reapply: one generation declares the same ids again.
    way: { type: "string", default: "generations" },
  },
});
const rounds = Number(values.rounds);
const { engine, Resource } = await import(values.entry);
let handled = 0;
const Noop = Resource("bench:Noop", async function (id, props) {
  handled += 1;
  if (this.phase === "delete") return this.destroy();
  return { ...props, name: `n-${id}` };
});

const isReapplied = values.way === "reapply";
const options = { stage: "b", quiet: true, noTrack: true, argv: [], env: {}, reapply: isReapplied };
const app = await engine("bench", options);

async function round() {
  await app.run(async () => {
    for (let i = 0; i < Number(values.n); i++) await Noop(`r${i}`, { size: i, tags: { a: "x", b: "y" } });
  });
  if (!isReapplied) await app.finalize();
}

function heapMb() {
  globalThis.gc();
  return process.memoryUsage().heapUsed / 1e6;
}

await round();
const times = [];
let settledMb = 0;
for (let at = 1; at <= rounds; at++) {
  const started = performance.now();
  await round();
  times.push(since(started));
  if (at === Math.min(SETTLED, rounds)) settledMb = heapMb();
}
const growthMb = Math.round((heapMb() - settledMb) * 100) / 100;
if (isReapplied) await app.finalize();
const middle = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)];
const totalMs = times.reduce((sum, time) => sum + time, 0);
const calls = { create: handled, update: 0, delete: 0 };
console.log(JSON.stringify({ side: "ours", roundMs: middle, totalMs, growthMb, calls, ...usage() }));
