import { describe, expect, test } from "vitest";
import { Secret } from "../../../../plugins/secrets/secret.js";
import { type CtyType, type CtyValue, Dynamic, pathText, Unknown } from "../../../../plugins/terraform/cty/index.js";
import { type Block, normalized, resultViolations } from "../../../../plugins/terraform/schema/index.js";
import { block, blocks, computed, nested, optional, pair } from "./shapes.js";

const unknown = new Unknown();

function found(schema: Block, planned: CtyValue, actual: CtyValue): string[] {
  return resultViolations(schema, planned, actual).map(({ path, message }) => `${pathText(path)} ${message}`);
}

function ofType(type: CtyType, planned: CtyValue, actual: CtyValue, sensitive = false): string[] {
  return found(block({ x: { type, computed: true, sensitive } }), { x: planned }, { x: actual });
}

function ofBlocks(nesting: Block["blocks"][string]["nesting"], planned: CtyValue, actual: CtyValue): string[] {
  return found(block({}, { x: blocks(nesting, block({ a: optional, c: computed })) }), { x: planned }, { x: actual });
}

const list: CtyType = ["list", "string"];
const set: CtyType = ["set", "string"];
const map: CtyType = ["map", "number"];
const object: CtyType = ["object", { a: "string", b: "bool" }];

describe("a result for an attribute", () => {
  test.each([
    ["what was planned", "string", "a", "a"],
    ["anything for what was unknown", "string", unknown, null],
    ["another spelling of a number", "number", 1, "1.0"],
    ["a list whose unknown elements are known now", list, ["a", unknown], ["a", "b"]],
    ["a set whose unknown elements have become one", set, ["a", unknown], ["a"]],
    ["a set in another order", set, ["a", "b"], ["b", "a"]],
    ["a map with unknown members that are known now", map, { k: unknown }, { k: 1 }],
    ["an object with unknown members that are known now", object, { a: unknown, b: true }, { a: "x", b: true }],
    [
      "a set of objects with unknown members",
      ["set", object],
      [
        { a: unknown, b: true },
        { a: "y", b: false },
      ],
      [
        { a: "y", b: false },
        { a: "x", b: true },
      ],
    ],
    ["any type where none was planned", "dynamic", unknown, new Dynamic("string", "x")],
    ["any value where a null of no type was planned", "dynamic", null, new Dynamic("string", "x")],
    [
      "a type where part of it was unknown",
      "dynamic",
      new Dynamic(["object", { a: "dynamic" }], { a: unknown }),
      new Dynamic(["object", { a: "bool" }], { a: true }),
    ],
  ] as [string, CtyType, CtyValue, CtyValue][])("may be %s", (_what, type, planned, actual) => {
    expect(ofType(type, planned, actual)).toEqual([]);
  });

  test.each([
    ["string", "a", "b", 'x was planned as "a", but is "b".'],
    ["string", null, "b", 'x was planned as null, but is "b".'],
    ["string", "a", null, 'x was planned as "a", but is null.'],
    ["string", new Unknown(Uint8Array.of(0x81, 1, 0xc2)), null, "x is null, which the plan ruled out."],
    ["string", "a", unknown, 'x was planned as "a", but is unknown.'],
    [list, ["a"], ["a", "b"], "x[1] was not planned, but is there."],
    [list, ["a", "b"], ["a"], "x[1] was planned, but is not there."],
    [list, ["a", unknown], ["c", "b"], 'x[0] was planned as "a", but is "c".'],
    [map, { k: 1 }, { k: 2 }, "x.k was planned as 1, but is 2."],
    [map, {}, { "a b": 2 }, 'x["a b"] was not planned, but is there.'],
    [map, { k: 1 }, {}, "x.k was planned, but is not there."],
    [object, { a: "x", b: true }, { a: "y", b: true }, 'x.a was planned as "x", but is "y".'],
    [set, ["a"], ["b"], 'x was planned with "a", but does not have it.'],
    [set, ["a"], ["a", "b"], 'x has "b", which was not planned.'],
    ["dynamic", new Dynamic("string", "1"), new Dynamic("number", 1), "x was planned as a string, but is a number."],
    ["dynamic", new Dynamic("string", "1"), new Dynamic("string", "2"), 'x was planned as "1", but is "2".'],
  ] as [CtyType, CtyValue, CtyValue, string][])("must not be otherwise (%#)", (type, planned, actual, want) => {
    expect(ofType(type, planned, actual)[0]).toBe(want);
  });

  test("a set whose unknown elements have become more than there were is otherwise", () => {
    expect(ofType(set, [unknown], ["a", "b"])).toEqual(["x has 2 elements, but was planned with 1."]);
  });

  test("what is sensitive is not told, on whatever level it is", () => {
    expect(ofType(list, ["a"], ["b", "c"], true)).toEqual(["x is a sensitive value that is not the planned one."]);
    const deep = block({ x: nested("list", { a: { ...optional, sensitive: true } }) });
    expect(found(deep, { x: [{ a: "1" }] }, { x: [{ a: "2" }] })).toEqual([
      "x is a sensitive value that is not the planned one.",
    ]);
    const set = block({}, { x: blocks("set", block({ a: { ...optional, sensitive: true } })) });
    expect(found(set, { x: [{ a: "1" }] }, { x: [{ a: "2" }] })).toEqual([
      "x was planned with a block with a sensitive value, but does not have it.",
    ]);
  });
});

describe("a result for blocks", () => {
  test.each([
    ["single", pair("1", unknown), pair("1", "x")],
    ["single", unknown, null],
    ["single", unknown, pair("1", "x")],
    ["group", pair(null, unknown), pair(null, null)],
    ["list", [pair("1", unknown)], [pair("1", "x")]],
    ["list", unknown, [pair("1", "x")]],
    ["list", [], null],
    ["map", { k: pair(unknown, null) }, { k: pair("1", null) }],
    ["map", unknown, { k: pair("1", null) }],
    ["set", [pair("1", unknown), pair("2", unknown)], [pair("2", "x"), pair("1", "x")]],
    ["set", [pair(unknown, unknown), pair(unknown, unknown)], [pair("1", "x")]],
  ] as const)("of a %s may fill in what was unknown (%#)", (nesting, planned, actual) => {
    expect(ofBlocks(nesting, planned, actual)).toEqual([]);
  });

  test.each([
    ["single", pair("1", unknown), null, "x was planned to be there, but is absent."],
    ["single", null, pair("1", null), "x was planned to be absent, but is there."],
    ["list", [pair("1", unknown)], [], "x has 0 blocks, but was planned with 1."],
    ["list", [pair("1", unknown)], [pair("2", "x")], 'x[0].a was planned as "1", but is "2".'],
    ["map", { k: pair("1", null) }, {}, "x.k was planned, but is not there."],
    ["map", {}, { k: pair("1", null) }, "x.k was not planned, but is there."],
    ["set", [pair("1", null)], [pair("1", "x")], 'x was planned with { a: "1", c: null }, but does not have it.'],
    ["set", [pair("1", unknown)], [pair("1", "x"), pair("1", "y")], "x has 2 elements, but was planned with 1."],
  ] as const)("of a %s must not be otherwise (%#)", (nesting, planned, actual, want) => {
    expect(ofBlocks(nesting, planned, actual)[0]).toBe(want);
  });

  test("each with a type of its own is judged by it", () => {
    const schema = block({}, { x: blocks("map", block({ a: { type: "dynamic", computed: true } })) });
    const of = (type: CtyType, a: CtyValue) => ({
      x: new Dynamic(["object", { k: ["object", { a: type }] }], { k: { a } }),
    });
    expect(found(schema, of("dynamic", unknown), of("bool", true))).toEqual([]);
    expect(found(schema, of("string", "1"), of("string", "2"))).toEqual(['x.k.a was planned as "1", but is "2".']);
  });
});

test("a result is there where that was planned, and only there", () => {
  expect(found(block({ x: optional }), null, { x: "1" })).toEqual([" was planned to be absent, but is there."]);
  expect(found(block({ x: optional }), { x: "1" }, null)).toEqual([" was planned to be there, but is absent."]);
  expect(found(block({ x: optional }), null, null)).toEqual([]);
});

describe("what a provider of the older kit gave, made as others give it", () => {
  const inner = block({ a: optional }, { deep: blocks("list", block({ b: optional })) });
  const stub = { a: unknown, deep: [{ b: unknown }] };

  test.each([
    ["list", null, []],
    ["set", null, []],
    ["list", unknown, [stub]],
    ["set", unknown, [stub]],
    ["list", [{ a: "1", deep: null }], [{ a: "1", deep: [] }]],
    ["single", null, null],
    ["single", unknown, stub],
    ["single", { a: "1", deep: null }, { a: "1", deep: [] }],
    ["group", null, { a: null, deep: [] }],
    ["group", unknown, stub],
    ["map", null, null],
  ] as const)("%s blocks (%#)", (nesting, value, want) => {
    expect(normalized(block({ x: optional }, { y: blocks(nesting, inner) }), { x: null, y: value })).toEqual({
      x: null,
      y: want,
    });
  });

  test("blocks with something dynamic are not touched, nor is nothing", () => {
    const schema = block({}, { y: blocks("list", block({ a: { type: "dynamic", optional: true } })) });
    expect(normalized(schema, { y: null })).toEqual({ y: null });
    expect(normalized(schema, null)).toBe(null);
  });
});

describe("a result that holds a known secret", () => {
  const secret = new Secret("result-canary");
  const other = "made of Result-Canary";

  test.each<[string, CtyType, CtyValue, CtyValue, string]>([
    ["planned", "string", secret.unencrypted, other, "x is a sensitive value that is not the planned one."],
    ["made", "string", other, `${secret.unencrypted}!`, "x is a sensitive value that is not the planned one."],
    [
      "an element of a set",
      set,
      ["a", secret.unencrypted],
      ["a", other],
      "x was planned with an element with a sensitive value, but does not have it.",
    ],
    [
      "an element that was added to a set",
      set,
      [unknown],
      [other, secret.unencrypted],
      "x has 2 elements, but was planned with 1.",
    ],
  ])("%s is reported without any value", (_where, type, planned, actual, message) => {
    expect(ofType(type, planned, actual)).toEqual([message]);
  });
});
