/** Counts what work at growing sizes comes to; prints a line of JSON for each scenario. */

import { type Block, BlockCounter, type Blocks } from "./blocks.js";
import { elementsOf, watchElements } from "./elements.js";
import { sourceOf } from "./places.js";
import { play, type Scenario } from "./scenario.js";
import { scenarios } from "./scenarios.js";
import { isSteep, SIZES } from "./steep.js";

interface Measured {
  readonly blocks: Blocks;
  readonly elements: ReadonlyMap<string, number>;
}

const counter = new BlockCounter();
await counter.start();
watchElements();

for (const scenario of scenarios) {
  if (process.argv[2] !== undefined && process.argv[2] !== scenario.name) continue;
  const began = performance.now();
  const steep = await steepOf(scenario).catch((error: unknown) => [String(error)]);
  const took = performance.now() - began;
  process.stdout.write(`${JSON.stringify({ name: scenario.name, steep, took })}\n`);
}

async function steepOf(scenario: Scenario): Promise<string[]> {
  const steps = new Map<string, Measured[]>();
  for (const n of SIZES) {
    await play(scenario, n, async (name, run) => {
      let elements: Measured["elements"] = new Map();
      const blocks = await counter.count(async () => {
        elements = await elementsOf(run);
      });
      steps.set(name, [...(steps.get(name) ?? []), { blocks, elements }]);
    });
  }
  const found: string[] = [];
  for (const [step, all] of steps) found.push(...(await steepBlocks(step, all)), ...steepElements(step, all));
  return found;
}

async function steepBlocks(step: string, all: readonly Measured[]): Promise<string[]> {
  const found = new Map<string, string>();
  const countsOf = (block: Block): number[] => all.map(({ blocks }) => blocks.countOf(block));
  for (const block of all.at(-1)?.blocks.all ?? []) {
    const counts = countsOf(block);
    if (!isSteep(counts)) continue;
    const place = await counter.placeOf(block);
    found.set(place, `${step}: ${place} is run ${counts.join(", ")} times`);
  }
  return [...found.values()];
}

function steepElements(step: string, all: readonly Measured[]): string[] {
  return [...(all.at(-1)?.elements.keys() ?? [])].flatMap((place) => {
    const counts = all.map(({ elements }) => elements.get(place) ?? 0);
    if (!isSteep(counts)) return [];
    const [, url = "", line, column] = /^(.*):(\d+):(\d+)$/.exec(place) ?? [];
    return `${step}: ${sourceOf(url, Number(line), Number(column))} goes through ${counts.join(", ")} elements`;
  });
}
