import { describe, expect, it } from "vitest";
import { isNewer, nextVersion } from "./version.ts";

describe("the next version", () => {
  it.each([
    ["patch", "1.2.4"],
    ["minor", "1.3.0"],
    ["major", "2.0.0"],
    ["1.10.0", "1.10.0"],
    ["v1.3.0", undefined],
    ["1.3", undefined],
    ["01.3.0", undefined],
    ["1.3.0-beta.1", undefined],
  ])("after 1.2.3, asked for by %s, is %s", (wanted, version) => {
    expect(nextVersion("1.2.3", wanted)).toBe(version);
  });

  it("is newer by number, not by text", () => {
    expect([isNewer("1.10.0", "1.9.9"), isNewer("1.9.9", "1.10.0"), isNewer("1.0.0", "1.0.0")]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
