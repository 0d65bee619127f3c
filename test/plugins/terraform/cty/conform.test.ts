import { describe, expect, test } from "vitest";
import {
  type CtyType,
  type CtyValue,
  concrete,
  conform,
  Dynamic,
  numberText,
  pathText,
  Unknown,
  withDynamics,
} from "../../../../plugins/terraform/cty/index.js";

const unknown = new Unknown();

describe("a value is converted as configurations are", () => {
  const cases: [string, CtyType, CtyValue, CtyValue][] = [
    ["null stays null", "number", null, null],
    ["unknown stays unknown", ["list", "string"], unknown, unknown],
    ["a number to text", "string", 5, "5"],
    ["text that looks the same", "string", "e\u0301", "\u00e9"],
    ["keys that look the same", ["map", "string"], { "e\u0301": "x" }, { "\u00e9": "x" }],
    ["any text that looks the same", "dynamic", ["e\u0301"], new Dynamic(["tuple", ["string"]], ["\u00e9"])],
    ["a large number to text without an exponent", "string", 1e21, "1000000000000000000000"],
    ["a small number to text without an exponent", "string", 1.5e-7, "0.00000015"],
    ["a bigint to text", "string", 12345678901234567890n, "12345678901234567890"],
    ["a truth value to text", "string", true, "true"],
    ["text to a number", "number", "1.50", 1.5],
    ["text to an integer that no double holds", "number", "9007199254740993", 9007199254740993n],
    ["text to a fraction that no double holds", "number", "0.12345678901234567890123", "0.12345678901234567890123"],
    ["text with an exponent", "number", "1e3", 1000],
    ["text to a truth value", "bool", "false", false],
    ["digits to a truth value", "bool", "1", true],
    ["elements of a list", ["list", "string"], [1, true, null], ["1", "true", null]],
    ["a list to a set, each element once", ["set", "number"], [1, "1", 2], [1, 2]],
    ["unknown elements of a set, which may differ", ["set", "string"], [unknown, unknown], [unknown, unknown]],
    ["a list to a tuple", ["tuple", ["string", "number"]], ["a", "1"], ["a", 1]],
    ["an object to a map", ["map", "string"], { a: 1, b: false }, { a: "1", b: "false" }],
    ["a map to an object, without what it has not", ["object", { a: "number" }], { a: "1", b: "2" }, { a: 1 }],
    ["a member that may be left out", ["object", { a: "string", b: "bool" }, ["b"]], { a: "x" }, { a: "x", b: null }],
    ["a dynamic value to what is wanted", "string", new Dynamic("number", 1), "1"],
    ["a type that is found out", "dynamic", "x", new Dynamic("string", "x")],
    [
      "a deep type that is found out",
      "dynamic",
      { a: [1, null] },
      new Dynamic(["object", { a: ["tuple", ["number", "dynamic"]] }], { a: [1, null] }),
    ],
    ["a list of any one type", ["list", "dynamic"], ["a", 1], [new Dynamic("string", "a"), new Dynamic("string", "1")]],
    [
      "a map of any one type",
      ["map", "dynamic"],
      { a: { x: 1 }, b: { x: "2" } },
      {
        a: new Dynamic(["object", { x: "string" }], { x: "1" }),
        b: new Dynamic(["object", { x: "string" }], { x: "2" }),
      },
    ],
    ["a list of any one type with a null", ["list", "dynamic"], [null, true], [null, new Dynamic("bool", true)]],
  ];
  test.each(cases)("%s", (_what, type, value, want) => {
    expect(conform(type, value)).toEqual({ value: want, problems: [] });
  });
});

describe("a value that cannot be converted is reported with its path", () => {
  const cases: [CtyType, CtyValue, string][] = [
    ["string", ["a"], ": must be a string, but is a list."],
    ["number", "many", ": must be a number, but is a string."],
    ["number", Number.NaN, ": must be a number, but is NaN."],
    ["number", true, ": must be a number, but is a boolean."],
    ["bool", "yes", ": must be true or false, but is a string."],
    [["list", "number"], [1, { a: 1 }], "[1]: must be a number, but is an object."],
    [["map", ["list", "bool"]], { a: "x" }, "a: must be a list, but is a string."],
    [["object", { a: "string", b: ["object", { c: "string" }] }], { a: "", b: {} }, "b.c: is missing."],
    [["tuple", ["string"]], ["a", "b"], ": must have 1 element, but has 2."],
    [["list", "dynamic"], [1, true], ": must have elements that are all of the same type."],
    [["set", "string"], { a: 1 }, ": must be a list, but is an object."],
  ];
  test.each(cases)("%j from %j", (type, value, want) => {
    const { problems } = conform(type, value);
    expect(problems.map(({ path, message }) => `${pathText(path)}: ${message}`)).toEqual([want]);
  });

  test("all of it at once", () => {
    const { problems } = conform(["object", { a: "number", b: "bool" }], { a: "x", b: "y" });
    expect(problems.map(({ path }) => pathText(path))).toEqual(["a", "b"]);
  });
});

test("a value with dynamic parts has an exact type as a whole, and comes back from it", () => {
  const type: CtyType = ["object", { name: "string", any: "dynamic", rest: ["list", "dynamic"] }];
  const value = { name: "x", any: new Dynamic(["list", "number"], [1]), rest: [new Dynamic("bool", true), null] };
  const whole = concrete(type, value);
  expect(whole).toEqual(
    new Dynamic(["object", { name: "string", any: ["list", "number"], rest: ["list", "bool"] }], {
      name: "x",
      any: [1],
      rest: [true, null],
    }),
  );
  expect(withDynamics(type, whole.type, whole.value)).toEqual(value);
});

test("a number beyond what can be written out keeps its exponent", () => {
  expect(numberText("1e999999999")).toBe("1e999999999");
});
