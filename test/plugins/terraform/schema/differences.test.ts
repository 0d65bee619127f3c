import { describe, expect, test } from "vitest";
import { type CtyType, type CtyValue, Dynamic, type Path, Unknown } from "../../../../plugins/terraform/cty/index.js";
import {
  type Attribute,
  type Block,
  differences,
  programPathText,
} from "../../../../plugins/terraform/schema/index.js";
import { block, blocks, computed, nested, optional } from "./shapes.js";

function lines(schema: Block, before: CtyValue, after: CtyValue, replace: readonly Path[] = []): string[] {
  return differences(schema, before, after, replace).map((one) => {
    const [was, is] = [one.before, one.isKnown ? one.after : "?"].map((value) => JSON.stringify(value));
    return `${programPathText(one.path)}: ${was} → ${is}${one.isSensitive ? ", sensitive" : ""}${one.forcesReplace ? ", replace" : ""}`;
  });
}

function ofAttribute(attribute: Attribute, before: CtyValue, after: CtyValue): string[] {
  return lines(block({ the_x: attribute }), { the_x: before }, { the_x: after });
}

function ofType(type: CtyType, before: CtyValue, after: CtyValue): string[] {
  return ofAttribute({ type, optional: true }, before, after);
}

/** Values of the attributes `a_b` and `c`. */
const pair = (a_b: CtyValue, c: CtyValue) => ({ a_b, c });

const object: CtyType = ["object", { a_b: "string", c: "number" }];

describe("differences", () => {
  test.each([
    ["string", "a", "b", ['theX: "a" → "b"']],
    ["string", null, "b", ['theX: undefined → "b"']],
    ["string", "a", null, ['theX: "a" → undefined']],
    ["string", "a", new Unknown(), ['theX: "a" → "?"']],
    ["number", 1, "1.0", []],
    [
      ["list", "string"],
      ["a", "b"],
      ["a", "c", "d"],
      ['theX[1]: "b" → "c"', 'theX[2]: undefined → "d"'],
    ],
    [["list", "string"], [null], [], ["theX[0]: null → null".replaceAll("null", "undefined")]],
    [["set", "string"], ["a", "b"], ["b", "c"], ['theX: ["a","b"] → ["b","c"]']],
    [["set", "string"], ["a", "b"], ["b", "a"], []],
    [
      ["map", "string"],
      { a_b: "1", gone: "2" },
      { a_b: "3", "new key": "4" },
      ['theX.a_b: "1" → "3"', 'theX.gone: "2" → undefined', 'theX["new key"]: undefined → "4"'],
    ],
    [object, { a_b: "1", c: 1 }, { a_b: "1", c: 2 }, ["theX.c: 1 → 2"]],
    [object, null, pair("1", null), ['theX: undefined → {"aB":"1"}']],
    [["list", object], [{ a_b: "1", c: 1 }], [{ a_b: "2", c: 1 }], ['theX[0].aB: "1" → "2"']],
    ["dynamic", new Dynamic(["list", "string"], ["a"]), new Dynamic(["list", "string"], ["b"]), ['theX[0]: "a" → "b"']],
    ["dynamic", new Dynamic("string", "1"), new Dynamic("number", 1), ['theX: "1" → 1']],
  ] as [CtyType, CtyValue, CtyValue, string[]][])(
    "of a value are as deep as can be told (%#)",
    (type, before, after, want) => {
      expect(ofType(type, before, after)).toEqual(want);
    },
  );

  test.each([
    ["single", pair("1", "x"), pair("2", "x"), ['theX.aB: "1" → "2"']],
    ["single", null, pair("2", null), ['theX: undefined → {"aB":"2"}']],
    [
      "list",
      [pair("1", "x")],
      [pair("1", new Unknown()), pair("2", null)],
      ['theX[0].c: "x" → "?"', 'theX[1]: undefined → {"aB":"2"}'],
    ],
    [
      "map",
      { k: pair("1", "x"), l: pair("1", "x") },
      { k: pair("2", "x") },
      ['theX.k.aB: "1" → "2"', 'theX.l: {"aB":"1","c":"x"} → undefined'],
    ],
    ["set", [pair("1", "x")], [pair("2", "x")], ['theX: [{"aB":"1","c":"x"}] → [{"aB":"2","c":"x"}]']],
    ["list", [], new Unknown(), ['theX: [] → "?"']],
  ] as const)("of blocks and nested attributes as %s are by position or key (%#)", (nesting, before, after, want) => {
    const of = { a_b: optional, c: computed };
    expect(ofAttribute(nested(nesting, of), before, after)).toEqual(want);
    expect(lines(block({}, { the_x: blocks(nesting, block(of)) }), { the_x: before }, { the_x: after })).toEqual(want);
  });

  test("of blocks that each have a type of their own", () => {
    const schema = block({}, { the_x: blocks("list", block({ any: { type: "dynamic", optional: true } })) });
    const of = (type: CtyType, any: CtyValue) => ({
      the_x: new Dynamic(["tuple", [["object", { any: type }]]], [{ any }]),
    });
    expect(lines(schema, of("string", "1"), of("bool", true))).toEqual(['theX[0].any: "1" → true']);
  });

  test("say what is sensitive, within it too", () => {
    const secret = { ...nested("list", { a_b: optional }), sensitive: true };
    expect(ofAttribute(secret, [{ a_b: "1" }], [{ a_b: "2" }])).toEqual(['theX[0].aB: "1" → "2", sensitive']);
  });

  test("of what is new or gone are of each thing in it", () => {
    const schema = block(
      { id: computed, name: optional },
      { g: blocks("group", block({ a: optional })), l: blocks("list", block({ a: optional })) },
    );
    const value = { id: new Unknown(), name: "n", g: { a: null }, l: [] };
    expect(lines(schema, null, value)).toEqual([
      'id: undefined → "?"',
      'name: undefined → "n"',
      "g: undefined → {}",
      "l: undefined → []",
    ]);
    expect(lines(schema, { ...value, id: "i" }, null)).toEqual([
      'id: "i" → undefined',
      'name: "n" → undefined',
      "g: {} → undefined",
      "l: [] → undefined",
    ]);
  });
});

describe("what forces a replace", () => {
  const schema = block(
    { name: optional, tags: { type: ["map", "string"], optional: true } },
    { rule: blocks("list", block({ port: optional })), all: blocks("set", block({ a: optional })) },
  );
  const before = { name: "a", tags: { k: "1" }, rule: [{ port: "1" }], all: [{ a: "1" }] };

  test.each([
    ["the value itself", { name: "b" }, [["name"]], ['name: "a" → "b", replace']],
    ["what is in it", { tags: { k: "2" } }, [["tags"]], ['tags.k: "1" → "2", replace']],
    [
      "a value deep inside",
      { rule: [{ port: "2" }] },
      [["rule", { element: "number", key: 0 }, "port"]],
      ['rule[0].port: "1" → "2", replace'],
    ],
    [
      "what has gone with what was around it",
      { rule: [] },
      [["rule", { element: "number", key: 0 }, "port"]],
      ['rule[0]: {"port":"1"} → undefined, replace'],
    ],
    [
      "an element of a set",
      { all: [{ a: "2" }] },
      [["all", { element: "number", key: 0 }, "a"]],
      ['all: [{"a":"1"}] → [{"a":"2"}], replace'],
    ],
    ["nothing, where nothing differs there", { name: "b" }, [["tags"], ["rule"]], ['name: "a" → "b"']],
  ] as [string, object, Path[], string[]][])("is %s", (_what, after, replace, want) => {
    expect(lines(schema, before, { ...before, ...after }, replace)).toEqual(want);
  });
});
