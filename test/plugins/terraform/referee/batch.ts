/** Several random configurations in one: each command of OpenTofu takes half a second. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Random } from "../../../attacks/random.ts";
import type { World } from "../fixture/world.ts";
import type { FixtureStage } from "../lifecycle/fixture-stage.ts";
import { Comparison, type Difference } from "./compared.ts";
import type { Drift, Step } from "./configuration.ts";
import { TAG_OF } from "./configuration.ts";
import { engineSide } from "./engine-side.ts";
import { randomGroup, typesOf } from "./generated.ts";
import { tofuSide } from "./tofu-side.ts";
import { withoutCycles } from "./without-cycles.ts";

export interface Batch {
  readonly protocol: "5" | "6";
  readonly steps: readonly Step[];
}

/** @param count number of configurations */
export function randomBatch(seed: number, count: number): Batch {
  const random = new Random(seed);
  const protocol = random.one(["5", "6", "6"] as const);
  // The step after it repairs the failures.
  const failing = random.chance(0.4) ? 1 : undefined;
  const plans = [0, 1, 2].map((at) => ({ isRefreshed: at > 0 && random.chance(0.5), isFailing: at === failing }));
  const groups = Array.from({ length: count }, (_, at) =>
    randomGroup(seed * 1_000 + at, `g${at}`, { protocol, steps: plans, types: typesOf(seed) }),
  );
  const steps = plans.map((plan, at): Step => {
    const all = groups.flatMap((group) => group[at] ?? []);
    return {
      declared: all.flatMap(({ declared }) => declared),
      lookups: all.flatMap(({ lookups }) => lookups),
      drift: all.flatMap(({ drift: one }) => one),
      isRefreshed: plan.isRefreshed,
      isOlder: at === 0,
    };
  });
  return { protocol, steps };
}

/** @returns differences that no rule explains */
export async function compared(
  { protocol, steps }: Batch,
  fixtures: (env: Readonly<Record<string, string>>) => Promise<FixtureStage>,
  used: Map<string, number> = new Map(),
): Promise<readonly Difference[]> {
  const folder = await mkdtemp(join(tmpdir(), "tofu-"));
  try {
    const comparison = new Comparison();
    const theirs = withoutCycles(await tofuSide(folder, protocol), comparison);
    const ours = engineSide(await fixtures({ FIXTURE_PROTOCOL: protocol }));
    const found: Difference[] = [];
    for (const [at, step] of steps.entries()) {
      for (const { world } of [theirs, ours]) for (const one of step.drift) drift(world, one);
      const [one, other] = [await theirs.step(step), await ours.step(step)];
      const differences = comparison.differences(step, theirs, ours, one, other);
      found.push(...differences.map((difference) => ({ ...difference, where: `step ${at}: ${difference.where}` })));
      // One difference causes others in later steps.
      if (differences.length > 0) break;
    }
    for (const [name, count] of comparison.used) used.set(name, (used.get(name) ?? 0) + count);
    return found;
  } finally {
    await rm(folder, { recursive: true });
  }
}

function drift(world: World, { type, tag, change }: Drift): void {
  const there = world.all(type).find((one) => one[TAG_OF[type] ?? ""] === tag);
  if (!there) return;
  if (change) world.put(type, String(there.id), { ...there, [change.attribute]: change.value });
  else world.remove(type, String(there.id));
}
