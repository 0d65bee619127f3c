import { describe, expect, it } from "vitest";
import { contender, contendersEach, names, state, world } from "./contenders.js";

/** Processes start slowly on a busy machine. */
const patient = { timeout: 120_000 };

contendersEach();

describe("four processes on one stage", () => {
  it("all get through, one after the other, and what each has made is there once", patient, async () => {
    const prefixes = ["a", "b", "c", "d"];
    const ends = await Promise.all(prefixes.map((prefix) => contender("rounds", prefix, "5").ended));
    expect(ends.map(({ code, stderr }) => [code, stderr])).toEqual(prefixes.map(() => [0, ""]));
    expect(await world()).toEqual(names(prefixes, 5).map((name) => `create ${name}`));
    expect(await state()).toEqual({ keys: names(prefixes, 5), isOpen: false });
  });
});
