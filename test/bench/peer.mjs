// The peer's side of the comparison: the same work as ours.mjs on Alchemy, from the folder that PEER names.
// Works in the current folder; prints one line of JSON.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

process.env.DO_NOT_TRACK = "1";
process.env.ALCHEMY_TELEMETRY_DISABLED = "1";
const { values } = parseArgs({
  options: {
    n: { type: "string", default: "1000" },
    mode: { type: "string", default: "seq" },
    phase: { type: "string", default: "up" },
    rev: { type: "string", default: "0" },
    secrets: { type: "boolean", default: false },
  },
});
const n = Number(values.n);
const ms = (from) => Math.round((performance.now() - from) * 10) / 10;

const t0 = performance.now();
const { default: alchemy, Resource } = await import(
  pathToFileURL(join(process.env.PEER, "node_modules/alchemy/lib/index.js")).href
);
const importMs = ms(t0);

const Noop = Resource("bench::Noop", async function (id, props) {
  if (this.phase === "delete") return this.destroy();
  return this.create({ ...props, name: `n-${id}` });
});

const t1 = performance.now();
let applyMs = 0;
// Its destroy phase ends the process by itself, so the report is written when the process exits.
process.on("exit", () => {
  const rssMb = Math.round(process.memoryUsage().rss / 1e6);
  console.log(JSON.stringify({ side: "peer", ...values, n, importMs, applyMs, totalMs: ms(t1), rssMb }));
});
const app = await alchemy("bench", { stage: "b", phase: values.phase, quiet: true, noTrack: true, password: "pw" });
const own = (i) => (values.secrets ? { token: alchemy.secret(`token ${i}`) } : {});
const declare = (i) => Noop(`r${i}`, { size: i, tags: { a: "x", b: "y" }, rev: values.rev, ...own(i) });
if (values.mode === "seq") for (let i = 0; i < n; i++) await declare(i);
else await Promise.all(Array.from({ length: n }, (_, i) => declare(i)));
applyMs = ms(t1);
await app.finalize();
process.exit(0);
