/** Generated tests: the same cases in every run, so that a failure is the doing of a change; new ones in long runs. */
import fc from "fast-check";

const isLong = process.env.LONG !== undefined;

// A long run prints the seed of what fails: give it here to see it again.
fc.configureGlobal({ ...fc.readConfigureGlobal(), ...(isLong ? {} : { seed: Number(process.env.SEED ?? 1) }) });

export { fc };
