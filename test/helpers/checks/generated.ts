/** Generated tests: the same cases in every run, so that a failure is caused by a change; new ones in long runs. */
import fc from "fast-check";
import { isLong } from "./sampling.js";

// A long run prints the seed of a failure: set it here to reproduce it.
fc.configureGlobal({ ...fc.readConfigureGlobal(), ...(isLong ? {} : { seed: Number(process.env.SEED ?? 1) }) });

/** Number of random cases: `npm test` has a fifth of those in the matrix, or in a run of the file by itself. */
export function cases(whole: number): number {
  return process.env.TEST_TIER === "test" ? Math.ceil(whole / 5) : whole;
}

/** The first character after the surrogates, and the number of surrogates. */
const [BEHIND, HALVES] = [0xe000, 0x800];

/**
 * Any character except surrogates, as the unit of a string. It replaces `unit: "binary"`, for which fast-check builds a
 * list of a million characters in each process: more than a second of work, and 130 MB.
 */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10_ff_ff - HALVES })
  .map((at) => String.fromCodePoint(at < BEHIND - HALVES ? at : at + HALVES), placeOf);

/** Throws for other values, as fast-check requires. */
function placeOf(character: unknown): number {
  const code = typeof character === "string" ? character.codePointAt(0) : undefined;
  if (code === undefined || String.fromCodePoint(code) !== character) throw new TypeError("It is not a character.");
  if (code >= BEHIND) return code - HALVES;
  if (code < BEHIND - HALVES) return code;
  throw new TypeError("It is half of a pair.");
}

export { fc };
