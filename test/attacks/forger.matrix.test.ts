import { expect, test } from "vitest";
import { forge } from "./forger.ts";

test.each([true, false])(
  "10,000 rewrites at random make no state that a run with the key takes (append: %s)",
  async (append) => {
    const { accepted, unclear } = await forge(10_000, Number(process.env.SEED ?? 1_000_000), append);
    expect(accepted).toEqual([]);
    expect(unclear).toEqual([]);
  },
  600_000,
);
