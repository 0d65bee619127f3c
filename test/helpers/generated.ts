/** Generated tests: the same cases in every run, so that a failure is the doing of a change; new ones in long runs. */
import fc from "fast-check";

const isLong = process.env.LONG !== undefined;

// A long run prints the seed of what fails: give it here to see it again.
fc.configureGlobal({ ...fc.readConfigureGlobal(), ...(isLong ? {} : { seed: Number(process.env.SEED ?? 1) }) });

/** How many random cases: in `npm test` a fifth of those that the matrix and a run of the file by itself have. */
export function cases(whole: number): number {
  return process.env.TEST_TIER === "test" ? Math.ceil(whole / 5) : whole;
}

export { fc };
