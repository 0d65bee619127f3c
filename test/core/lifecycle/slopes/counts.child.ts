/** Counts executed blocks and list elements at growing sizes; prints a line of JSON for each scenario. */

import { type Block, BlockCounter, type Blocks } from "./blocks.js";
import { visitedBy, watchElements } from "./elements.js";
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

/** A finding is measured again: a single disturbance is not a slope. */
const ROUNDS = 3;

for (const scenario of scenarios) {
  if (process.argv[2] !== undefined && process.argv[2] !== scenario.name) continue;
  const began = performance.now();
  const steep = await alwaysSteep(scenario).catch((error: unknown) => [String(error)]);
  const took = performance.now() - began;
  process.stdout.write(`${JSON.stringify({ name: scenario.name, steep, took })}\n`);
}

async function alwaysSteep(scenario: Scenario): Promise<string[]> {
  let found = await steepOf(scenario);
  for (let round = 1; round < ROUNDS && found.size > 0; round++) {
    const again = await steepOf(scenario);
    found = new Map([...found].filter(([place]) => again.has(place)));
  }
  return [...found.values()];
}

/** Steep counts, by step and place. */
async function steepOf(scenario: Scenario): Promise<Map<string, string>> {
  const steps = new Map<string, Measured[]>();
  for (const n of SIZES) {
    await play(scenario, n, async (name, run) => {
      let elements: Measured["elements"] = new Map();
      const blocks = await counter.count(async () => {
        const visited = await visitedBy(run);
        elements = scenario.isDeep ? visited.elements : new Map([...visited.elements, ...visited.characters]);
      });
      steps.set(name, [...(steps.get(name) ?? []), { blocks, elements }]);
    });
  }
  const found = new Map<string, string>();
  for (const [step, all] of steps) {
    for (const { place, does } of [...(await steepBlocks(all)), ...steepElements(all)]) {
      found.set(`${step}: ${place}`, `${step}: ${place} ${does}`);
    }
  }
  return found;
}

interface Finding {
  readonly place: string;
  readonly does: string;
}

async function steepBlocks(all: readonly Measured[]): Promise<Finding[]> {
  const found: Finding[] = [];
  const countsOf = (block: Block): number[] => all.map(({ blocks }) => blocks.countOf(block));
  for (const block of all.at(-1)?.blocks.all ?? []) {
    const counts = countsOf(block);
    if (isSteep(counts)) found.push({ place: await counter.placeOf(block), does: `is run ${counts.join(", ")} times` });
  }
  return found;
}

function steepElements(all: readonly Measured[]): Finding[] {
  return [...(all.at(-1)?.elements.keys() ?? [])].flatMap((at) => {
    const counts = all.map(({ elements }) => elements.get(at) ?? 0);
    if (!isSteep(counts)) return [];
    const [, url = "", line, column] = /^(.*):(\d+):(\d+)$/.exec(at) ?? [];
    const place = sourceOf(url, Number(line), Number(column));
    return [{ place, does: `goes through ${counts.join(", ")} elements` }];
  });
}
