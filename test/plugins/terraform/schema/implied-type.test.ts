import { describe, expect, test } from "vitest";
import { Dynamic } from "../../../../plugins/terraform/cty/index.js";
import { emptyValue, impliedType, type NestedBlock } from "../../../../plugins/terraform/schema/index.js";
import { closeBlocks, openBlocks } from "../../../../plugins/terraform/schema/level.js";
import { block, blocks, computed, nested, optional, required } from "./shapes.js";

const inner = block({ name: optional });
const loose = block({ any: { type: "dynamic", optional: true } });
const withBlock = (nesting: NestedBlock["nesting"], of = inner) => block({}, { b: blocks(nesting, of) });

describe("the type that a block implies", () => {
  test("has its attributes, without what may be left out of objects", () => {
    const schema = block({ a: { type: ["list", ["object", { x: "number", y: "bool" }, ["y"]]] }, id: computed });
    expect(impliedType(schema)).toEqual([
      "object",
      { a: ["list", ["object", { x: "number", y: "bool" }]], id: "string" },
    ]);
  });

  test.each([
    ["single", ["object", { name: "string" }]],
    ["group", ["object", { name: "string" }]],
    ["list", ["list", ["object", { name: "string" }]]],
    ["set", ["set", ["object", { name: "string" }]]],
    ["map", ["map", ["object", { name: "string" }]]],
  ] as const)("of %s blocks", (nesting, type) => {
    expect(impliedType(withBlock(nesting))).toEqual(["object", { b: type }]);
  });

  test.each(["single", "list", "set", "map"] as const)("of attributes nested as %s", (nesting) => {
    const one = ["object", { name: "string" }];
    const schema = block({ a: { type: "string", nested: { nesting, attributes: inner.attributes } } });
    expect(impliedType(schema)).toEqual(["object", { a: nesting === "single" ? one : [nesting, one] }]);
  });

  test("is dynamic for lists and maps of blocks with something dynamic inside, which become tuples and objects", () => {
    expect(impliedType(withBlock("list", loose))).toEqual(["object", { b: "dynamic" }]);
    expect(impliedType(withBlock("map", loose))).toEqual(["object", { b: "dynamic" }]);
    expect(impliedType(withBlock("single", loose))).toEqual(["object", { b: ["object", { any: "dynamic" }] }]);
  });

  test("is dynamic further out, too", () => {
    expect(impliedType(withBlock("list", withBlock("map", loose)))).toEqual(["object", { b: "dynamic" }]);
  });
});

describe("what there is where nothing is configured", () => {
  test.each([
    ["single", inner, null],
    ["group", inner, { name: null }],
    ["list", inner, []],
    ["set", inner, []],
    ["map", inner, {}],
    ["list", loose, new Dynamic(["tuple", []], [])],
    ["map", loose, new Dynamic(["object", {}], {})],
  ] as const)("%s blocks", (nesting, block, value) => {
    expect(emptyValue(withBlock(nesting, block))).toEqual({ b: value });
  });

  test("attributes are null, nested ones too", () => {
    expect(emptyValue(block({ a: required, n: nested("list", {}) }))).toEqual({ a: null, n: null });
  });
});

test("blocks with something dynamic inside each have a type of their own in the whole", () => {
  const list = blocks("list", loose);
  const values = [{ any: new Dynamic("string", "x") }, { any: new Dynamic(["list", "number"], [1]) }, { any: null }];
  const whole = new Dynamic(
    [
      "tuple",
      [
        ["object", { any: "string" }],
        ["object", { any: ["list", "number"] }],
        ["object", { any: "dynamic" }],
      ],
    ],
    [{ any: "x" }, { any: [1] }, { any: null }],
  );
  expect(closeBlocks(list, values)).toEqual(whole);
  expect(openBlocks(list, whole)).toEqual(values);
});
