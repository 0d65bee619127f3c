/**
 * Times on an unchanged stage: a plan, an up that is held to it, and a refresh, beside a plain up. In turns, medians.
 *
 *   npm run bench:plan -- [--n 10000] [--runs 7]
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { fsStore } from "../../adapters/fs/index.js";
import type { EngineOptions } from "../../core/contract/index.js";
import { Resource } from "../../core/resource/index.js";
import { createEngine } from "../../plugins/engine/index.js";

const { values } = parseArgs({
  options: { n: { type: "string", default: "10000" }, runs: { type: "string", default: "7" } },
});
const n = Number(values.n);

const Item = Resource<{ id: string; size: number }, { size: number; tags: readonly string[] }>("bench:Item", {
  create: ({ id, props }) => ({ id, size: props.size }),
  update: ({ id, props }) => ({ id, size: props.size }),
  read: ({ output }) => output,
  delete: () => {},
});

const rootDir = await mkdtemp(join(tmpdir(), "bench-plan-"));
const engine = createEngine();
const options: EngineOptions = { stage: "dev", argv: [], env: {}, rootDir, stateStore: fsStore() };

async function program(): Promise<void> {
  for (let index = 0; index < n; index++) await Item(`r${index}`, { size: index, tags: ["a", "b"] });
}

async function up(more: EngineOptions = {}): Promise<void> {
  const app = await engine("bench", { ...options, ...more });
  await app.run(program);
  await app.finalize();
}

const WORK: Readonly<Record<string, () => Promise<unknown>>> = {
  up: () => up(),
  plan: () => engine.plan("bench", options, program),
  refresh: () => up({ refresh: true }),
  drift: () => engine.drift("bench", options),
};

await up();
const times = new Map(Object.keys(WORK).map((name) => [name, [] as number[]]));
for (let run = 0; run < Number(values.runs) + 1; run++) {
  for (const [name, work] of Object.entries(WORK)) {
    const started = performance.now();
    await work();
    // The first run of each is a warm-up.
    if (run > 0) times.get(name)?.push(performance.now() - started);
  }
}

const median = (name: string): number =>
  (times.get(name) ?? []).sort((a, b) => a - b).at(Number(values.runs) / 2) ?? Number.NaN;
for (const name of Object.keys(WORK)) {
  process.stdout.write(
    `${name.padEnd(8)} ${median(name).toFixed(0).padStart(6)} ms  ${(median(name) / median("up")).toFixed(2)}x\n`,
  );
}
await rm(rootDir, { recursive: true, force: true });
