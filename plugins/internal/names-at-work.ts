import type { RunControl } from "../../core/contract/index.js";

/** So many are named. */
const MOST = 5;

/** The resources whose handlers are at work, for a message; empty where there are none. */
export function namesAtWork(runs: Iterable<RunControl>): string {
  const names = [...runs].flatMap(({ atWork }) => atWork);
  const more = names.length - MOST;
  return [...names.slice(0, MOST), ...(more > 0 ? [`and ${more} more`] : [])].join(", ");
}
