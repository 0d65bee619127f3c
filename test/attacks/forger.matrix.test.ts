import { expect, test } from "vitest";
import { isLong } from "../helpers/checks/sampling.js";
import { forge } from "./forger.ts";

const rewrites = isLong ? 20_000 : 1_200;

test.each([true, false])(
  `${rewrites} rewrites at random make no state that a run with the key takes (append: %s)`,
  async (append) => {
    const { accepted, unclear } = await forge(rewrites, Number(process.env.SEED ?? 1_000_000), append);
    expect(accepted).toEqual([]);
    expect(unclear).toEqual([]);
  },
  600_000,
);
