/** Histories that are run one after the other. */
import { live } from "./live.ts";
import { failureOf } from "./report.ts";
import { type WorldName, worlds } from "./worlds.ts";

/** The violations of each failed history, and how to reproduce it. */
export async function failures(seeds: readonly number[], world: WorldName = "processes"): Promise<string[]> {
  const failed: string[] = [];
  for (const seed of seeds) {
    const lived = await live(worlds[world](seed));
    if (lived.problems.length > 0) failed.push(failureOf(seed, lived, world));
  }
  return failed;
}
