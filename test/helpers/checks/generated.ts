/** Generated tests: the same cases in every run, so that a failure is the doing of a change; new ones in long runs. */
import fc from "fast-check";
import { isLong } from "./sampling.js";

// A long run prints the seed of what fails: give it here to see it again.
fc.configureGlobal({ ...fc.readConfigureGlobal(), ...(isLong ? {} : { seed: Number(process.env.SEED ?? 1) }) });

/** How many random cases: in `npm test` a fifth of those that the matrix and a run of the file by itself have. */
export function cases(whole: number): number {
  return process.env.TEST_TIER === "test" ? Math.ceil(whole / 5) : whole;
}

/** The first character behind the halves of pairs, and how many of those there are. */
const [BEHIND, HALVES] = [0xe000, 0x800];

/**
 * Any character but half of a pair, as the unit of a string. In place of `unit: "binary"`, for which fast-check writes down a million
 * of them in each process: more than a second of work, and 130 MB.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10_ff_ff - HALVES })
  .map((at) => String.fromCodePoint(at < BEHIND - HALVES ? at : at + HALVES), placeOf);

/** Throws for what is no character of these, as fast-check wants it. */
function placeOf(character: unknown): number {
  const code = typeof character === "string" ? character.codePointAt(0) : undefined;
  if (code === undefined || String.fromCodePoint(code) !== character) throw new TypeError("It is not a character.");
  if (code >= BEHIND) return code - HALVES;
  if (code < BEHIND - HALVES) return code;
  throw new TypeError("It is half of a pair.");
}

export { fc };
