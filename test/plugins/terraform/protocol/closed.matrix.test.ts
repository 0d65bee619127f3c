import { describe, expect, test } from "vitest";
import { keptBy } from "./kept-by.ts";

describe("a command that has ended its provider waits for nothing more", () => {
  test.each([
    ["answers that it will end", "", "asked"],
    ["does not end by itself", "slow", "asked"],
  ] as const)("where the provider %s", async (_what, shutdown, how) => {
    expect(await keptBy(shutdown, how)).toEqual([]);
  });
});
