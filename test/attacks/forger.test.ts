import { expect, test } from "vitest";
import { forge } from "./forger.ts";

/** The matrix has thousands. */
const COUNT = 40;
const SEED = Number(process.env.SEED ?? 1);

/** To reproduce one: `SEED=` with the printed seed, and a count of one. */
test.each([true, false])(
  `${COUNT} rewrites at random make no state that a run with the key takes (append: %s)`,
  async (append) => {
    const { counts, accepted, unclear, codes } = await forge(COUNT, SEED, append);
    expect(accepted).toEqual([]);
    expect(unclear).toEqual([]);
    expect(counts.refused).toBeGreaterThan(COUNT / 2);
    expect(counts.older).toBeGreaterThan(COUNT / 20);
    expect(Object.keys(codes)).toEqual(expect.arrayContaining(["STATE_FORGED", "STATE_CORRUPT"]));
  },
);
