import { encode } from "@msgpack/msgpack";
import { describe, expect, test } from "vitest";
import { type CtyValue, compareNumbers, Dynamic, mayBecome, Unknown } from "../../../../plugins/terraform/cty/index.js";

/** As a provider writes it: a map with numbers for keys. */
function refined(entries: Readonly<Record<number, unknown>>): Unknown {
  const parts = Object.entries(entries).map(([key, value]) => [Uint8Array.of(Number(key)), encode(value)]);
  return new Unknown(Uint8Array.from([0x80 + parts.length, ...parts.flat().flatMap((bytes) => [...bytes])]));
}

describe("an unknown value", () => {
  test.each([
    ["of which nothing is known may become null", new Unknown(), null, true],
    ["that is not null does not", refined({ 1: false }), null, false],
    ["that is not null does not, with whichever type", refined({ 1: false }), new Dynamic("string", null), false],
    ["that is not null may become anything else", refined({ 1: false }), "x", true],
    ["that has a prefix may become what begins with it", refined({ 1: false, 2: "arn:" }), "arn:x", true],
    ["that has a prefix does not become what begins otherwise", refined({ 2: "arn:" }), "id:x", false],
    ["that has a prefix and may be null may become it", refined({ 2: "arn:" }), null, true],
    ["that is at least so long may be as long", refined({ 5: 2 }), ["a", "b"], true],
    ["that is at least so long is not shorter", refined({ 5: 2 }), ["a"], false],
    ["that is at most so long is not longer", refined({ 6: 1 }), { a: 1, b: 2 }, false],
    ["that is at least a number may be it", refined({ 3: [1, true] }), 1, true],
    ["that is more than a number is not it", refined({ 3: [1, false] }), 1n, false],
    ["that is at most a number is not more", refined({ 4: ["1.5", true] }), 2, false],
    ["that is within bounds may be between them", refined({ 3: [0, true], 4: [10, false] }), "9.99", true],
  ] as [string, Unknown, CtyValue, boolean][])("%s", (_what, unknown, value, want) => {
    expect(mayBecome(unknown, value)).toBe(want);
  });
});

test("numbers have an order, however they are written", () => {
  expect(["10", 2, 1n, "-0.5", -7, "1e2"].sort(compareNumbers)).toEqual([-7, "-0.5", 1n, 2, "10", "1e2"]);
  expect(compareNumbers(9007199254740993n, 9007199254740992)).toBe(1);
  expect(compareNumbers("1e99999", 1)).toBeGreaterThan(0);
});
