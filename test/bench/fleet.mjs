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
  say("ready");
  const { ended } = await worker.done;
  say(JSON.stringify({ ended, cpu: cpu(), rss: process.memoryUsage().rss }));
} else if (role === "up" || role === "destroy") {
  const before = cpu();
  const began = performance.now();
  const { state, stages: counts } = await tenants[role]({ queue: url, onWarning });
  const took = Math.round(performance.now() - began);
  say(JSON.stringify({ state, counts, took, cpu: cpu() - before, rss: process.resourceUsage().maxRSS * 1024 }));
}
