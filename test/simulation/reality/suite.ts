/** Scenarios of the kill tests, in reality and in the simulation. */
import { describe, expect, test } from "vitest";
import { twoAtOnce } from "../../faults/matrix.js";
import type { Places } from "../../faults/places/places.js";
import type { Scenario } from "../../faults/scenarios.js";
import { sampled } from "../../helpers/checks/sampling.js";
import { Comparison } from "./comparison.js";
import { type RealDeath, realSide } from "./real-side.js";
import { type SimulatedPlace, simulatedSide } from "./simulated-side.js";

export interface Pair {
  readonly places: Places;
  readonly simulated: SimulatedPlace;
}

export interface Size {
  /** Number of points of each scenario; in long runs all of them. */
  readonly kills: number;
  /** Number of the programs that may come next. */
  readonly next: number;
  /** Number of schedules of the simulation that are tried. */
  readonly tries: number;
}

/** Work beside the program, at any time: checkpoints that are written meanwhile, and heartbeats. */
const TIMELY: readonly string[] = ["checkpoints in mid-run", "history and journal trimmed", "heartbeats"];

const timeout = 3_600_000;

/** A scenario as it ran in processes that were killed. */
export interface Reality {
  readonly scenario: Scenario;
  readonly points: readonly string[];
  readonly deaths: readonly { readonly at: number; readonly death: RealDeath }[];
}

export function realityTests({ places, simulated }: Pair, scenarios: readonly Scenario[], size: Size): void {
  const { name } = places;
  const total = { steady: 0, other: 0 };

  describe.each(scenarios)(`${name}: $title`, (scenario) => {
    test("comes by the same points in the simulation, and leaves the same at each", { timeout }, async () => {
      const reality = await realityOf(places, scenario, size);
      const { differences, agreed } = await compare(reality, simulated, size.tries);
      total.steady += agreed.steady;
      total.other += agreed.other;
      expect(differences).toEqual([]);
      expect(agreed.steady + agreed.other).toBeGreaterThan(size.kills);
    });
  });

  test(`${name}: most of reality is as in the steady schedule`, ({ task }) => {
    const { steady, other } = total;
    task.meta.note = `${name}: ${steady} agree as where nothing takes long, ${other} as where something does`;
    expect(steady).toBeGreaterThan(other);
  });
}

export async function realityOf(
  places: Places,
  scenario: Scenario,
  { kills, next }: Pick<Size, "kills" | "next">,
): Promise<Reality> {
  const real = await realSide(places, scenario);
  try {
    const points = await real.points();
    const last = points.length - 1;
    const deaths: Reality["deaths"][number][] = [];
    const seed = `${scenario.title} in reality on ${places.name}`;
    await twoAtOnce([...sampled([...points.keys()].slice(0, last), kills - 1, seed), last], async (at) => {
      const death = await real.killed(at, scenario.next.slice(0, next));
      // A run passes fewer points if the machine has much else to do.
      if (death) deaths.push({ at, death });
    });
    return { scenario, points, deaths };
  } finally {
    await real.end();
  }
}

/**
 * Called when nothing else runs in this process: a simulation's time and random numbers are shared by everything in it.
 */
export async function compare(
  { scenario, points, deaths }: Reality,
  place: SimulatedPlace,
  tries: number,
): Promise<Comparison> {
  const isTimely = TIMELY.includes(scenario.title);
  const comparison = new Comparison({ simulated: simulatedSide(place, scenario), tries, isTimely });
  await comparison.points(points);
  for (const { at, death } of deaths) await comparison.death(death, at);
  return comparison;
}
