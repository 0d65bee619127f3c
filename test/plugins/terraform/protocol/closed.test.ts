import { describe, expect, test } from "vitest";
import { keptBy } from "./kept-by.ts";

describe("a command that has ended its provider waits for nothing more", () => {
  test.each([
    ["breaks the connection before it answers, as those in Go do", "abrupt", "asked"],
    ["has crashed while it was asked", "abrupt", "crashes"],
  ] as const)("where the provider %s", async (_what, shutdown, how) => {
    expect(await keptBy(shutdown, how)).toEqual([]);
  });
});
