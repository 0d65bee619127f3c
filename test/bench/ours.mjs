// Our side of the comparison: the same work as peer.mjs. Works in the current folder; prints one line of JSON.
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    n: { type: "string", default: "1000" },
    mode: { type: "string", default: "seq" },
    phase: { type: "string", default: "up" },
    rev: { type: "string", default: "0" },
    secrets: { type: "boolean", default: false },
    entry: { type: "string" },
  },
});
const n = Number(values.n);
const ms = (from) => Math.round((performance.now() - from) * 10) / 10;

const t0 = performance.now();
const { engine, Resource } = await import(values.entry);
const importMs = ms(t0);

const Noop = Resource("bench:Noop", async function (id, props) {
  if (this.phase === "delete") return this.destroy();
  return { ...props, name: `n-${id}` };
});

const t1 = performance.now();
const options = { stage: "b", phase: values.phase, quiet: true, noTrack: true, argv: [], env: {} };
const app = await engine("bench", values.secrets ? { ...options, password: "pw" } : options);
const own = (i) => (values.secrets ? { token: engine.secret(`token ${i}`) } : {});
if (values.phase === "up") {
  const declare = (i) => Noop(`r${i}`, { size: i, tags: { a: "x", b: "y" }, rev: values.rev, ...own(i) });
  if (values.mode === "seq") for (let i = 0; i < n; i++) await declare(i);
  else await Promise.all(Array.from({ length: n }, (_, i) => declare(i)));
}
const applyMs = ms(t1);
await app.finalize();
const totalMs = ms(t1);
const rssMb = Math.round(process.memoryUsage().rss / 1e6);
console.log(JSON.stringify({ side: "ours", ...values, entry: undefined, n, importMs, applyMs, totalMs, rssMb }));
