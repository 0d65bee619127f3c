// The peer's side of a row: the same work as ours.mjs on Alchemy, from the folder that PEER names.
// Works in the current folder; prints one line of JSON.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { calls, ENTRY_OPTIONS, program } from "./program.mjs";
import { since, usage } from "./usage.mjs";

process.env.DO_NOT_TRACK = "1";
process.env.ALCHEMY_TELEMETRY_DISABLED = "1";
// Without it, Alchemy refuses to keep its state in files if CI is set.
process.env.ALCHEMY_CI_STATE_STORE_CHECK = "false";
const { values } = parseArgs({ options: ENTRY_OPTIONS });
const { n, how, phase, rev, replace, secrets } = values;

const importing = performance.now();
const { default: alchemy, Resource } = await import(
  pathToFileURL(join(process.env.PEER, "node_modules/alchemy/lib/index.js")).href
);
const importMs = since(importing);

const Noop = Resource("bench::Noop", async function (id, props) {
  calls[this.phase] += 1;
  if (this.phase === "delete") return this.destroy();
  if (replace && this.phase === "update") return this.replace();
  return this.create({ ...props, name: `n-${id}` });
});

const Parent = Resource("bench::Parent", async function (id, props) {
  calls[this.phase] += 1;
  if (this.phase === "delete") return this.destroy();
  const ids = Array.from({ length: props.children }, (_, i) => `c${i}`);
  for (const child of ids) await Noop(child, propsOf(props.first + ids.indexOf(child) + 1, props.rev));
  return this.create({ name: `n-${id}` });
});

function propsOf(i, at) {
  const own = secrets ? { token: alchemy.secret(`token ${i}`) } : {};
  return { size: i, tags: { a: "x", b: "y" }, rev: at, ...own };
}

const started = performance.now();
let applyMs = 0;
// Its destroy phase ends the process by itself, so the report is written when the process exits.
process.on("exit", () => {
  console.log(JSON.stringify({ side: "alchemy", importMs, applyMs, totalMs: since(started), calls, ...usage() }));
});
const destroyStrategy = how === "par" ? "parallel" : "sequential";
const app = await alchemy("bench", { stage: "b", phase, quiet: true, noTrack: true, password: "pw", destroyStrategy });
await program({ n: Number(n), how, rev, Noop, Parent, propsOf, scope: alchemy.run });
applyMs = since(started);
await app.finalize();
process.exit(0);
