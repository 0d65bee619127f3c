/**
 * Measures processor time at growing sizes, for costs that no count shows; prints a line of JSON for each scenario and
 * store.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fsStoreAt } from "../../../../adapters/fs/index.js";
import { memoryStore } from "../../../../adapters/memory/index.js";
import { programs } from "./programs.js";
import { play, type Scenario } from "./scenario.js";
import { exponentOf, STEEPEST } from "./steep.js";

/** Least processor time at each size, in microseconds; other processes can only add to it. */
type Costs = Map<number, number>;

const FEWEST_ROUNDS = 2;
/** A linear cost shows within these rounds, however busy the machine is. */
const MOST_ROUNDS = 6;

const [names = "", list = "", stores = ""] = process.argv.slice(2);
const sizes = list.split(",").map(Number);

for (const scenario of programs.filter(({ name }) => names === "" || names.split("|").includes(name))) {
  for (const store of (["memory", "fs"] as const).filter((one) => stores.split(",").includes(one))) {
    // Warms up: code that is not compiled yet would make the first sizes expensive.
    await measure(scenario, sizes.at(-1) ?? 0, store, new Map());
    const steps = new Map<string, Costs>();
    const isDone = (): boolean => [...steps.values()].every((costs) => exponentOf(costs) <= STEEPEST);
    for (let round = 0; round < MOST_ROUNDS && (round < FEWEST_ROUNDS || !isDone()); round++) {
      for (const n of sizes) await measure(scenario, n, store, steps);
    }
    for (const [step, costs] of steps) {
      const each = [...costs].map(([size, cost]) => Math.round(cost / size));
      const line = { name: scenario.name, store, step, exponent: exponentOf(costs), each };
      process.stdout.write(`${JSON.stringify(line)}\n`);
    }
  }
}

async function measure(
  scenario: Scenario,
  n: number,
  store: "memory" | "fs",
  steps: Map<string, Costs>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "slopes-"));
  const around = async (name: string, run: () => Promise<void>): Promise<void> => {
    const costs = steps.get(name) ?? new Map<number, number>();
    steps.set(name, costs);
    const before = process.cpuUsage();
    await run();
    const { user, system } = process.cpuUsage(before);
    costs.set(n, Math.min(user + system, costs.get(n) ?? Number.POSITIVE_INFINITY));
  };
  await play(scenario, n, around, store === "memory" ? memoryStore() : fsStoreAt(folder));
  await rm(folder, { recursive: true });
}
