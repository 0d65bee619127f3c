import { describe, expect, it } from "vitest";
import { nearest } from "../../core/base/index.js";

describe("nearest", () => {
  it.each([
    ["swapped neighbours", "fsorce", "force"],
    ["a missing letter", "adpt", "adopt"],
    ["another letter", "wadch", "watch"],
    ["another case", "FORCE", "force"],
  ])("finds the word behind %s", (_case, word, meant) => {
    expect(nearest(word, ["force", "adopt", "watch"])).toBe(meant);
  });

  it("finds none where none is near", () => {
    expect(nearest("colour", ["force", "adopt", "watch"])).toBeUndefined();
    expect(nearest("", ["force"])).toBeUndefined();
    expect(nearest("a", ["b"])).toBeUndefined();
  });
});
