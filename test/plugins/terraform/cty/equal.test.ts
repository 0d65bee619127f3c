import { encode } from "@msgpack/msgpack";
import { describe, expect, test } from "vitest";
import {
  type CtyType,
  type CtyValue,
  compareNumbers,
  Dynamic,
  inOrderOf,
  isEqual,
  isKnown,
  isNull,
  isWhollyKnown,
  mayBecome,
  pathText,
  touches,
  Unknown,
  valueAt,
  walk,
} from "../../../../plugins/terraform/cty/index.js";

const tags: CtyType = ["map", "string"];
const rule: CtyType = ["object", { port: "number", names: ["set", "string"] }];

test("sets get the order of another value, wherever they are, and new elements come last", () => {
  const names: CtyType = ["set", "string"];
  const type: CtyType = ["object", { names, ports: ["map", names], rules: ["list", rule], any: "dynamic" }];
  const made = (order: (all: string[]) => string[], more: readonly string[] = []): CtyValue => ({
    names: [...order(["a", "b", "c"]), ...more],
    ports: { x: order(["p", "q"]) },
    rules: [{ port: 1, names: order(["x", "y"]) }],
    any: new Dynamic(names, order(["k", "l"])),
  });
  const reversed = made((all) => all.reverse(), ["new"]);
  expect(
    inOrderOf(
      type,
      reversed,
      made((all) => all),
    ),
  ).toEqual(made((all) => all, ["new"]));
  expect(inOrderOf(type, reversed, null)).toBe(reversed);
  expect(inOrderOf(type, reversed, reversed)).toBe(reversed);
  expect(inOrderOf(names, ["c", "a"], ["a", "b", "c"])).toEqual(["a", "c"]);
});

describe("equal values", () => {
  const equal: [string, CtyType, CtyValue, CtyValue][] = [
    ["a number and its bigint", "number", 7, 7n],
    ["a number and its text", "number", 0.1, "0.1"],
    ["two spellings of a number", "number", "1.50", "15e-1"],
    ["a large double and the integer that it is", "number", 2 ** 60, 1152921504606846976n],
    ["both zeros", "number", -0, "0"],
    ["a set in another order", ["set", "string"], ["a", "b"], ["b", "a"]],
    [
      "a set of objects in another order",
      ["set", rule],
      [
        { port: 1, names: ["x", "y"] },
        { port: 2, names: [] },
      ],
      [
        { port: 2, names: [] },
        { port: 1n, names: ["y", "x"] },
      ],
    ],
    ["a map in another order", tags, { a: "1", b: "2" }, { b: "2", a: "1" }],
    ["an absent member and a null one", ["object", { a: "string" }], {}, { a: null }],
    ["two unknown values", "string", new Unknown(), new Unknown(new Uint8Array([1]))],
    ["dynamic values of one type", "dynamic", new Dynamic("number", 1), new Dynamic("number", 1n)],
    ["nulls of any type", "dynamic", null, new Dynamic("string", null)],
  ];
  test.each(equal)("%s", (_what, type, a, b) => {
    expect(isEqual(type, a, b)).toBe(true);
    expect(isEqual(type, b, a)).toBe(true);
  });

  const different: [string, CtyType, CtyValue, CtyValue][] = [
    ["texts that are one number", "string", "1.0", "1"],
    ["neighbours beyond the safe integers", "number", 9007199254740993n, 9007199254740992],
    ["a list in another order", ["list", "string"], ["a", "b"], ["b", "a"]],
    ["a set with a repeated element", ["set", "string"], ["a", "a"], ["a", "b"]],
    ["a map with a null and one without", tags, { a: null }, {}],
    ["a map with a key of all objects", tags, { a: "1" }, { toString: "1" }],
    ["null and unknown", "string", null, new Unknown()],
    ["null and empty", ["list", "string"], null, []],
    ["dynamic values of two types", "dynamic", new Dynamic("number", 1), new Dynamic("string", "1")],
    ["tuples of two lengths", ["tuple", ["string"]], ["a"], ["a", "b"]],
  ];
  test.each(different)("are not %s", (_what, type, a, b) => {
    expect(isEqual(type, a, b)).toBe(false);
    expect(isEqual(type, b, a)).toBe(false);
  });
});

test("null, known, and completely known values are distinguished", () => {
  expect([null, new Dynamic("string", null), "", new Unknown()].map(isNull)).toEqual([true, true, false, false]);
  expect([null, new Unknown(), new Dynamic("dynamic", new Unknown()), [new Unknown()]].map(isKnown)).toEqual([
    true,
    false,
    false,
    true,
  ]);
  expect([[1], [new Unknown()], { a: { b: new Unknown() } }, new Dynamic("string", "a")].map(isWhollyKnown)).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

test("a walk visits all parts of a value, and does not enter excluded ones", () => {
  const type: CtyType = ["object", { rules: ["list", rule], tags, any: "dynamic" }];
  const value = {
    rules: [{ port: 1, names: ["a"] }],
    tags: { "a b": "x" },
    any: new Dynamic(["tuple", ["string"]], ["y"]),
  };
  const seen: string[] = [];
  walk(type, value, (path) => {
    seen.push(pathText(path));
    return pathText(path) !== "tags";
  });
  expect(seen).toEqual([
    "",
    "rules",
    "rules[0]",
    "rules[0].port",
    "rules[0].names",
    "rules[0].names[0]",
    "tags",
    "any",
    "any[0]",
  ]);
});

test("a path leads to a part of a value, or to nothing", () => {
  const value = { rules: [{ port: 1 }], tags: { "a b": "x" }, any: new Dynamic(["list", "string"], ["y"]), no: null };
  expect(valueAt(value, ["rules", { element: "number", key: 0 }, "port"])).toBe(1);
  expect(valueAt(value, ["tags", { element: "string", key: "a b" }])).toBe("x");
  expect(valueAt(value, ["any", 0])).toBe("y");
  expect(valueAt(value, ["no"])).toBe(null);
  expect(valueAt(value, ["no", "deeper"])).toBe(undefined);
  expect(valueAt(value, ["constructor"])).toBe(undefined);
  expect(valueAt(value, [])).toBe(value);
});

test("paths touch where one is around the other, however their steps are written", () => {
  expect(touches(["a", 0], ["a", { element: "number", key: 0 }, "b"])).toBe(true);
  expect(touches(["a", "0"], ["a", 0])).toBe(true);
  expect(touches(["a", 1], ["a", 0, "b"])).toBe(false);
  expect(touches([], ["a"])).toBe(true);
});

/** Refinements as a provider writes them: a map with numbers for keys. */
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
