/** Histories that are lived through one after the other. */
import { live } from "./live.ts";
import { failureOf } from "./report.ts";
import { type WorldName, worlds } from "./worlds.ts";

/** What went wrong in each that failed, and how to see it again. */
export async function failures(seeds: readonly number[], world: WorldName = "processes"): Promise<string[]> {
  const failed: string[] = [];
  for (const seed of seeds) {
    const lived = await live(worlds[world](seed));
    if (lived.problems.length > 0) failed.push(failureOf(seed, lived, world));
  }
  return failed;
}
