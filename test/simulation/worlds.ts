/** The worlds of histories: each has seeds of its own. */
import type { History } from "./history.ts";
import { movesHistoryOf } from "./moves/random-history.ts";
import { historyOf } from "./random-history.ts";
import { usersHistoryOf } from "./users/random-history.ts";

export const worlds = { processes: historyOf, users: usersHistoryOf, moves: movesHistoryOf } as const satisfies Record<
  string,
  (seed: number) => History
>;

export type WorldName = keyof typeof worlds;

export function isWorld(name: string): name is WorldName {
  return Object.hasOwn(worlds, name);
}
