/** Does all that a fleet can do, and then has nothing left to wait for. */
import { memoryStore } from "../../../adapters/memory/index.js";
import { fleet } from "../../../plugins/fleet/index.js";

const tenants = fleet("tenants", {
  stages: Array.from({ length: 20 }, (_, index) => ({ stage: `t${index}`, input: index })),
  program: () => {},
  waves: ["50%", { to: "100%", start: "manual" }],
  limit: { key: () => "", rate: { max: 100, duration: 60_000 } },
  options: { stateStore: memoryStore() },
});
const states = [
  await tenants.plan(),
  await tenants.up({ wait: false }),
  await tenants.resume(),
  await tenants.up({ signal: AbortSignal.abort() }),
  await tenants.up({ wait: false }),
  await tenants.cancel(),
  await tenants.drift(),
  await tenants.destroy({ wait: false }),
].map(({ state }) => state);
process.stdout.write(`${states.join(" ")}\n`);
