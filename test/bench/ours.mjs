// Our side of a row: the same work as peer.mjs. Works in the current folder; prints one line of JSON.
// Any build can be measured, so that two of them can be compared:
//   node ours.mjs --entry file:///…/dist/plugins/index.js --n 1000 --how par --phase up --rev 0
import { parseArgs } from "node:util";
import { calls, ENTRY_OPTIONS, program } from "./program.mjs";
import { since, usage } from "./usage.mjs";

const OWN_OPTIONS = {
  entry: { type: "string" },
  // Prints its progress, as programs do by default.
  loud: { type: "boolean", default: false },
  password: { type: "string" },
  // Keeps the key of the password in the current folder.
  cached: { type: "boolean", default: false },
};
const { values } = parseArgs({ options: { ...ENTRY_OPTIONS, ...OWN_OPTIONS } });
const { n, how, phase, rev, replace, secrets, loud, password = "pw" } = values;

const importing = performance.now();
const { engine, Resource, memoryStore } = await import(values.entry);
const importMs = since(importing);

const Noop = Resource("bench:Noop", async function (id, props) {
  calls[this.phase] += 1;
  if (this.phase === "delete") return this.destroy();
  if (replace && this.phase === "update") return this.replace();
  return { ...props, name: `n-${id}` };
});

const Parent = Resource("bench:Parent", async function (id, props) {
  calls[this.phase] += 1;
  if (this.phase === "delete") return this.destroy();
  const ids = Array.from({ length: props.children }, (_, i) => `c${i}`);
  for (const child of ids) await Noop(child, propsOf(props.first + ids.indexOf(child) + 1, props.rev));
  return { name: `n-${id}` };
});

async function storeOption() {
  const { store, url, prefix } = values;
  if (store === "fs") return undefined;
  if (store === "memory") return memoryStore();
  if (store === "redis") {
    const { redisStore } = await import(new URL("../adapters/redis/index.js", values.entry));
    return redisStore({ url, prefix: `${prefix}:` });
  }
  if (store === "postgres") {
    const { postgresStore } = await import(new URL("../adapters/postgres/index.js", values.entry));
    return postgresStore({ connectionString: url, table: prefix });
  }
  const { s3Store } = await import(new URL("../adapters/s3/index.js", values.entry));
  const credentials = { accessKeyId: process.env.S3_ACCESS_KEY, secretAccessKey: process.env.S3_SECRET_KEY };
  return s3Store({ bucket: values.bucket, endpoint: url, prefix, credentials });
}

const stateStore = await storeOption();
const env = values.cached ? { XDG_STATE_HOME: process.cwd(), ENGINE_PASSWORD_CACHE: "12h" } : {};
const base = { stage: "b", quiet: !loud, noTrack: true, argv: [], env, stateStore };
const destroyStrategy = how === "par" ? "parallel" : "sequential";
const opener = values.key ? { key: values.key } : secrets || values.password ? { password } : {};
const options = { ...base, destroyStrategy, ...opener };

function propsOf(i, at) {
  const own = secrets ? { token: engine.secret(`token ${i}`) } : {};
  return { size: i, tags: { a: "x", b: "y" }, rev: at, ...own };
}

async function run(which, at) {
  const started = performance.now();
  const app = await engine("bench", { ...options, phase: which });
  if (which === "up") await program({ n: Number(n), how, rev: at, Noop, Parent, propsOf, scope: engine.run });
  const applyMs = since(started);
  await app.finalize();
  return { applyMs, totalMs: since(started) };
}

// A store in memory has to be filled by the same process.
if (values.store === "memory") for (const at of values.before ? values.before.split(",") : []) await run("up", at);
Object.assign(calls, { create: 0, update: 0, delete: 0 });
const times = await run(phase, rev);
console.log(JSON.stringify({ side: "ours", importMs, ...times, calls, ...usage() }));
