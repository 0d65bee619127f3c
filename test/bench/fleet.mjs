/** A worker or a conductor of a fleet with resources in memory, for fleet.ts. */

import { fleet } from "../../dist/plugins/fleet/index.js";
import { Resource } from "../../dist/plugins/index.js";

const [role = "", url = "", stages = "0", plan = "small"] = process.argv.slice(2);

const Item = Resource("bench:Item", {
  create: ({ props }) => ({ plan: props.plan }),
  update: ({ props }) => ({ plan: props.plan }),
  delete: () => {},
});

const tenants = fleet("tenants", {
  async *stages() {
    for (let index = 0; index < Number(stages); index++) yield { stage: `t${index}`, input: { plan } };
  },
  program: async (_, input) => {
    for (let index = 0; index < 5; index++) await Item(`item${index}`, input);
  },
  concurrency: Number(process.env.AT_ONCE ?? 16),
  options: { stateStore: url, env: {} },
});

const say = (line) => void process.stdout.write(`${line}\n`);
const onWarning = (code, message) => void process.stderr.write(`${code}: ${message}\n`);
const cpu = () => {
  const { user, system } = process.cpuUsage();
  return Math.round((user + system) / 1_000);
};

if (role === "worker") {
  const stop = new AbortController();
  process.once("SIGTERM", () => stop.abort());
  const worker = await tenants.work({ queue: url, signal: stop.signal, onWarning });
  process.stdin.on("data", () => say(JSON.stringify({ cpu: cpu() })));
  say("ready");
  const { ended } = await worker.done;
  process.stdin.destroy();
  say(JSON.stringify({ ended, cpu: cpu(), rss: process.memoryUsage().rss }));
} else if (role === "loop") {
  // The same stages without a fleet: a part of them in this process, 16 at once.
  const { createEngine } = await import("../../dist/plugins/engine/index.js");
  const { redisStore } = await import("../../dist/adapters/redis/index.js");
  const engine = createEngine({ histories: 1, checkpoints: 1 });
  const store = redisStore({ url })({ appName: "loop", stage: "*", rootDir: ".", env: {}, warn: () => {} });
  const before = cpu();
  const began = performance.now();
  let next = Number(stages);
  const lane = async () => {
    while (next-- > 0) {
      const stage = `t${process.pid}-${next}`;
      await engine.up("loop", { stage, stateStore: store, argv: [], env: {} }, async () => {
        for (let index = 0; index < 5; index++) await Item(`item${index}`, { plan });
      });
    }
  };
  for (const name of ["create", "unchanged"]) {
    next = Number(stages);
    const start = performance.now();
    await Promise.all(Array.from({ length: 16 }, lane));
    say(JSON.stringify({ run: `loop ${name}`, took: Math.round(performance.now() - start), cpu: cpu() - before }));
  }
  await store.close();
  say(JSON.stringify({ took: Math.round(performance.now() - began) }));
} else if (role === "up" || role === "destroy") {
  const before = cpu();
  const began = performance.now();
  const { state, stages: counts } = await tenants[role]({ queue: url, onWarning });
  const took = Math.round(performance.now() - began);
  say(JSON.stringify({ state, counts, took, cpu: cpu() - before, rss: process.resourceUsage().maxRSS * 1024 }));
}
