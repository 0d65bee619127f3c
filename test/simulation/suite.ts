/** Histories that are lived through one after the other. */
import { live } from "./live.ts";
import { historyOf } from "./random-history.ts";
import { failureOf } from "./report.ts";

/** What went wrong in each that failed, and how to see it again. */
export async function failures(seeds: readonly number[]): Promise<string[]> {
  const failed: string[] = [];
  for (const seed of seeds) {
    const lived = await live(historyOf(seed));
    if (lived.problems.length > 0) failed.push(failureOf(seed, lived));
  }
  return failed;
}
