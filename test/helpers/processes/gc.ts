import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { median } from "../../bench/statistics.js";

setFlagsFromString("--expose-gc");
/** Collects garbage, now. */
export const gc: () => void = runInNewContext("gc");

/** Of three measurements of the heap: while one is made the engine's code is compiled, or forgotten, at times of its own. */
export async function middleOfThree(measure: () => Promise<number>): Promise<number> {
  return median([await measure(), await measure(), await measure()]);
}
