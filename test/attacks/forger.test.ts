import { expect, test } from "vitest";
import { forge } from "./forger.ts";

const SEED = Number(process.env.SEED ?? 1);

/** To see one again: `SEED=` as it is printed, and a count of one. */
test.each([true, false])(
  "300 rewrites at random make no state that a run with the key takes (append: %s)",
  async (append) => {
    const { counts, accepted, unclear, codes } = await forge(300, SEED, append);
    expect(accepted).toEqual([]);
    expect(unclear).toEqual([]);
    expect(counts.refused).toBeGreaterThan(150);
    expect(counts.older).toBeGreaterThan(15);
    expect(Object.keys(codes)).toEqual(expect.arrayContaining(["STATE_FORGED", "STATE_CORRUPT"]));
  },
);
