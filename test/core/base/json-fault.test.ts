import { describe, expect, test } from "vitest";
import { jsonFaultPlace } from "../../../core/base/index.js";

describe("what is no JSON", () => {
  test.each([
    ['{"a": canary}', "line 1, column 7"],
    ['{"a":{"b": canary }}', "line 1, column 12"],
    ['{\n  "a": [1, 2,\n  ]\n}', "line 3, column 3"],
    ['{"a": 12x}', "line 1, column 9"],
    ['{"a": trux}', "line 1, column 10"],
    ['{"a": "b" "c"}', "line 1, column 11"],
    ['{"a": "\\x"}', "line 1, column 9"],
    ["{} {}", "line 1, column 4"],
    ["<<<<<<< ours", "line 1, column 1"],
    ['{"a": "canary', "its end"],
    ['{"a": 1,\n', "its end"],
    ["", "its end"],
  ])("%j is reported by its place alone", (text, place) => {
    expect(jsonFaultPlace(text)).toBe(place);
  });
});
