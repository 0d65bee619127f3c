/**
 * Random histories in the world of users: each depends only on its seed. Their seeds are separate from those of other
 * worlds.
 */
import fc from "fast-check";
import type { History } from "../history.ts";
import { oneIn } from "./pieces.ts";
import { beginning, situations } from "./situations.ts";

const histories = fc.record<History>({
  world: fc.constant("users" as const),
  store: fc.constantFrom("files", "redis", "bucket"),
  limits: fc.nat(3),
  password: oneIn(4),
  seed: fc.nat(),
  chapters: fc
    .tuple(beginning, fc.array(fc.oneof(...Object.values(situations)), { minLength: 1, maxLength: 3, size: "max" }))
    .map(([first, later]) => [first, ...later.flat()]),
});

/** The history of a seed; the same one for ever. */
export function usersHistoryOf(seed: number): History {
  const [history] = fc.sample(histories, { seed, numRuns: 1 });
  if (!history) throw new Error("A seed gives a history.");
  return history;
}
