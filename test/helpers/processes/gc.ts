import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { median } from "../../bench/statistics.js";

setFlagsFromString("--expose-gc");
/** Collects garbage immediately. */
export const gc: () => void = runInNewContext("gc");

/**
 * The median of three measurements of the heap: the engine's code may be compiled, or discarded, during any of them.
 */
export async function middleOfThree(measure: () => Promise<number>): Promise<number> {
  return median([await measure(), await measure(), await measure()]);
}
