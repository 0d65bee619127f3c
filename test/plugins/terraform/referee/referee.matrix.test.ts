/**
 * Uses OpenTofu as a referee: both it and the engine get random configurations of the fixture's types, and changes.
 * After each step both must have planned, created, recorded and asked the same, except for {@link RULES}.
 *
 * Excluded are the features that OpenTofu 1.6.2 does not have: write-only arguments, ephemeral resources, functions.
 */
import { describe, expect, test } from "vitest";
import { isLong } from "../../../helpers/checks/sampling.ts";
import { fixtureStages } from "../lifecycle/fixture-stage.ts";
import { type Batch, compared, randomBatch } from "./batch.ts";
import { type Declared, reference, type Step } from "./configuration.ts";
import { differingPaths } from "./paths.ts";
import { RULES } from "./rules.ts";

/**
 * Number of configurations in a batch, and the seeds of the batches. The sample has one of each protocol, one with
 * failures, and one with resources of the older kits.
 */
const COUNT = isLong ? 25 : 4;
const SEEDS = isLong ? [...Array.from({ length: 20 }, (_, at) => at + 1), 101, 102, 103] : [12, 5, 101];
const { SEED } = process.env;

const made = fixtureStages();
const used = new Map<string, number>();

/** Lists the differences, and the command that repeats them. */
async function problemsOf(batch: Batch, replay: string): Promise<readonly string[]> {
  const found = await compared(batch, made, used);
  const lines = found.map(({ where, theirs, ours }) => [`  ${where}`, ...differingPaths(theirs, ours)].join("\n    "));
  return lines.length === 0 ? [] : [`see it again: ${replay}`, ...lines];
}

describe("random configurations and their changes come to the same by OpenTofu and by the engine", () => {
  test.each(SEED === undefined ? SEEDS : [Number(SEED)])("seed %i", async (seed) => {
    const replay = `${isLong ? "LONG=1 " : ""}SEED=${seed} npm run test:unit -- test/plugins/terraform/referee`;
    expect((await problemsOf(randomBatch(seed, COUNT), replay)).join("\n")).toBe("");
  });
});

describe("what one of both refuses to plan the other one refuses, too", () => {
  const thing = (config: Declared["config"]): Declared => declared("fixture_thing", config);
  const behaviour = (config: Declared["config"]): Declared => declared("fixture_behaviour", config);
  test("and nothing is made", async () => {
    const steps = [
      thing({ name: "refused" }),
      thing({ name: "g0r0", size: -1 }),
      behaviour({ name: "g0r0", on_plan: "fail" }),
      behaviour({ name: "g0r0", on_plan: "lie" }),
      behaviour({ name: "g0r0", on_validate: "fail" }),
      declared("fixture_blocks", { name: "g0r0", rule: [1, 2, 3, 4].map((port) => ({ port })) }),
    ].map(stepOf);
    expect(await problemsOf({ protocol: "5", steps: isLong ? steps : steps.slice(0, 2) }, "this test")).toEqual([]);
  });
});

if (isLong) {
  test("what is replaced, and was needed by what is created first, is lost by OpenTofu and not here", async () => {
    const steps = (["south", "north"] as const).map((region, at): Step => {
      const needed = declared("fixture_thing", { name: "g0r0", region });
      const value = at === 0 ? reference("g0r0", "region") : "by itself";
      const first = { ...declared("fixture_behaviour", { name: "g0r1", value }, "g0r1"), createBeforeDestroy: true };
      return { ...stepOf(needed), declared: [needed, first], isRefused: false };
    });
    expect(await problemsOf({ protocol: "6", steps }, "this test")).toEqual([]);
    expect(used.get("what is replaced is not lost")).toBeGreaterThan(0);
  });
}

if (isLong && SEED === undefined) {
  test("each difference that is wanted is met", ({ task }) => {
    task.meta.note = [...used].map(([name, count]) => `${name}: ${count}`).join(", ");
    expect(RULES.filter(({ name }) => !used.has(name)).map(({ name }) => name)).toEqual([]);
  });
}

function declared(type: string, config: Declared["config"], tag = "g0r0"): Declared {
  return { tag, type, config, createBeforeDestroy: false };
}

function stepOf(one: Declared): Step {
  return { declared: [one], lookups: [], drift: [], isRefreshed: false, isOlder: false, isRefused: true };
}
