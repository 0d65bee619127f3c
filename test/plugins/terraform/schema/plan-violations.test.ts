import { describe, expect, test } from "vitest";
import { Secret } from "../../../../plugins/secrets/secret.js";
import { type CtyValue, Dynamic, pathText, Unknown } from "../../../../plugins/terraform/cty/index.js";
import { type Attribute, type Block, planViolations } from "../../../../plugins/terraform/schema/index.js";
import { block, blocks, both, computed, nested, optional, pair } from "./shapes.js";

const unknown = new Unknown();

function found(schema: Block, prior: CtyValue, config: CtyValue, planned: CtyValue): string[] {
  return planViolations(schema, prior, config, planned).map(({ path, message }) => `${pathText(path)} ${message}`);
}

function ofAttribute(attribute: Attribute, prior: CtyValue, config: CtyValue, planned: CtyValue): string[] {
  return found(block({ x: attribute }), { x: prior }, { x: config }, { x: planned });
}

function ofBlocks(
  nesting: Block["blocks"][string]["nesting"],
  prior: CtyValue,
  config: CtyValue,
  planned: CtyValue,
): string[] {
  return found(
    block({}, { x: blocks(nesting, block({ a: optional, c: computed })) }),
    { x: prior },
    { x: config },
    { x: planned },
  );
}

test("a plan with another form of a configured secret is reported without any value", () => {
  const { unencrypted } = new Secret("  Plan-Canary  ");
  const told = ["x is planned as a sensitive value that is not the configured one."];
  expect(ofAttribute(optional, null, unencrypted, "plan-canary")).toEqual(told);
  expect(ofAttribute(optional, unencrypted, "a", "plan-canary")).toEqual(told);
});

describe("a plan for an attribute", () => {
  test.each([
    ["as it is configured", optional, "old", "new", "new"],
    ["as it was, which means the same", optional, "old", "new", "old"],
    ["anything, where only the provider sets it", computed, "old", null, unknown],
    ["anything, where it is computed and not configured", both, null, null, "default"],
    ["unknown, where it is computed and not configured", both, "old", null, unknown],
    ["unknown, where that is configured", optional, "old", unknown, unknown],
    ["unknown with other refinements", optional, null, unknown, new Unknown(new Uint8Array([1]))],
    ["another spelling of a number", { type: "number", optional: true }, null, 1, "1.0"],
    ["null, where it is written only", { ...optional, writeOnly: true }, null, "secret", null],
  ] as const)("may be %s", (_what, attribute, prior, config, planned) => {
    expect(ofAttribute(attribute, prior, config, planned)).toEqual([]);
  });

  test.each([
    ["another value than is configured", optional, null, "a", "b", 'x is planned as "b", but is configured as "a".'],
    [
      "another value than is configured or was",
      optional,
      "c",
      "a",
      "b",
      'x is planned as "b", but is configured as "a", and was "c".',
    ],
    [
      "a value for what is neither configured nor computed",
      optional,
      "b",
      null,
      "b",
      'x is planned as "b", but is not configured and not computed.',
    ],
    [
      "another value than is configured, though it could be computed",
      both,
      null,
      "a",
      "b",
      'x is planned as "b", but is configured as "a".',
    ],
    ["null for what is configured", optional, null, "a", null, 'x is planned as null, but is configured as "a".'],
    [
      "unknown for what is configured",
      optional,
      null,
      "a",
      unknown,
      'x is planned as unknown, but is configured as "a".',
    ],
    [
      "a value for what is not known yet",
      optional,
      null,
      unknown,
      "b",
      'x is planned as "b", but is configured as unknown.',
    ],
    [
      "another sensitive value, without telling it",
      { ...optional, sensitive: true },
      "c",
      "a",
      "b",
      "x is planned as a sensitive value that is not the configured one.",
    ],
    [
      "a sensitive value that is not configured, without telling it",
      { ...optional, sensitive: true },
      null,
      null,
      "b",
      "x is planned as a sensitive value, but is not configured and not computed.",
    ],
  ] as const)("must not be %s", (_what, attribute, prior, config, planned, want) => {
    expect(ofAttribute(attribute, prior, config, planned)).toEqual([want]);
  });
});

describe("a plan for blocks", () => {
  test.each([
    ["single", pair("1", "x"), pair("2", null), pair("2", "x")],
    ["single", null, null, null],
    ["group", pair(null, "x"), pair(null, null), pair(null, unknown)],
    ["list", [pair("old", "x")], [pair("new", null), pair("2", null)], [pair("old", "x"), pair("2", unknown)]],
    ["list", [], null, []],
    ["map", { k: pair("1", "x") }, { k: pair("2", null) }, { k: pair("2", unknown) }],
    ["list", [], unknown, unknown],
    ["set", [pair("1", "x")], [pair("2", null)], [pair("anything", "y"), pair("more", "z")]],
  ] as const)("of a %s may fill in what is computed (%#)", (nesting, prior, config, planned) => {
    expect(ofBlocks(nesting, prior, config, planned)).toEqual([]);
  });

  test.each([
    ["single", null, pair("1", null), null, "x is planned to be absent, but is configured."],
    ["single", null, null, pair("1", null), "x is planned to be there, but is not configured."],
    ["list", [], [pair("1", null)], [pair("2", "x")], 'x[0].a is planned as "2", but is configured as "1".'],
    ["list", [], [pair("1", null)], [], "x is planned with 0 blocks, but configured with 1."],
    ["list", [], [], null, "x is planned as null, but must be empty if there are no blocks."],
    ["set", [], [], null, "x is planned as null, but must be empty if there are no blocks."],
    ["map", {}, {}, null, "x is planned as null, but must be empty if there are no blocks."],
    ["map", {}, { k: pair("1", null) }, { l: pair("1", null) }, "x.l is planned, but is not configured."],
    ["list", [], [pair("1", null)], unknown, "x is planned as unknown, but only values in a block can be unknown."],
    [
      "list",
      [],
      [pair("1", null)],
      [unknown],
      "x[0] is a block planned as unknown, but only values in a block can be unknown.",
    ],
    [
      "set",
      [],
      [pair("1", null)],
      [unknown],
      "x[0] is a block planned as unknown, but only values in a block can be unknown.",
    ],
    ["set", [], unknown, [pair("1", null)], "x is planned, but the configured blocks are not known yet."],
  ] as const)("of a %s must not be otherwise (%#)", (nesting, prior, config, planned, want) => {
    expect(ofBlocks(nesting, prior, config, planned)[0]).toBe(want);
  });

  test("each with a type of its own is judged by it", () => {
    const schema = block({}, { x: blocks("list", block({ a: { type: "dynamic", optional: true } })) });
    const of = (type: "string" | "bool", a: CtyValue) => ({
      x: new Dynamic(["tuple", [["object", { a: type }]]], [{ a }]),
    });
    expect(found(schema, null, of("string", "1"), of("string", "1"))).toEqual([]);
    expect(found(schema, null, of("string", "true"), of("bool", true))).toEqual([
      'x[0].a is planned as true, but is configured as "true".',
    ]);
  });
});

test("a plan is there where a configuration is, and only there", () => {
  expect(found(block({ x: optional }), null, { x: "1" }, null)).toEqual([
    " is planned to be absent, but is configured.",
  ]);
  expect(found(block({ x: optional }), { x: "1" }, null, { x: "1" })).toEqual([
    " is planned to be there, but is not configured.",
  ]);
  expect(found(block({ x: optional }), { x: "1" }, null, null)).toEqual([]);
});

describe("a plan for nested attributes", () => {
  const inner = { a: optional, c: computed };

  test.each([
    ["single", pair("1", null), pair("1", unknown)],
    ["list", [pair("1", null)], [pair("1", "x")]],
    ["map", { k: pair("1", null) }, { k: pair("1", unknown) }],
    ["set", [pair("1", null)], [pair("1", unknown)]],
    ["set", [pair("1", null)], [pair("other", "x")]],
    ["set", [pair("1", null), pair("2", null)], [pair("1", unknown), pair(unknown, "x")]],
  ] as const)("as %s may fill in what is computed (%#)", (nesting, config, planned) => {
    expect(ofAttribute(nested(nesting, inner), null, config, planned)).toEqual([]);
  });

  test.each([
    ["single", pair("1", null), pair("2", "x"), 'x.a is planned as "2", but is configured as "1".'],
    ["single", pair("1", null), null, "x is planned to be absent, but is configured."],
    ["single", pair("1", null), unknown, "x is planned as unknown, but is configured."],
    ["single", null, pair(null, null), "x is planned as { a: null, c: null }, but is not configured and not computed."],
    ["list", [pair("1", null)], [], "x is planned with 0 elements, but configured with 1 element."],
    [
      "list",
      unknown,
      [pair("1", null)],
      "x is planned with 1 element, but configured with an unknown number of elements.",
    ],
    ["list", [pair("1", null)], [pair(null, null)], 'x[0].a is planned as null, but is configured as "1".'],
    ["map", { k: pair("1", null) }, {}, "x.k is configured, but is not planned."],
    ["map", {}, { k: pair("1", null) }, "x.k is planned, but is not configured."],
    ["set", [pair("1", null)], [], "x is planned with 0 elements, but configured with 1 element."],
    [
      "set",
      [pair("1", null)],
      [pair("1", "x"), pair("2", "x")],
      "x is planned with 2 elements, but configured with 1 element.",
    ],
  ] as const)("as %s must not be otherwise (%#)", (nesting, config, planned, want) => {
    expect(ofAttribute(nested(nesting, inner), null, config, planned)).toEqual([want]);
  });

  test("that are computed as a whole may be anything where they are not configured", () => {
    const whole = nested("list", inner, { optional: true, computed: true });
    expect(ofAttribute(whole, null, null, [pair("1", "x")])).toEqual([]);
    expect(ofAttribute(whole, null, null, unknown)).toEqual([]);
  });

  test("with something sensitive in them are not told as a whole", () => {
    const secret = nested("single", { a: { ...optional, sensitive: true } });
    expect(ofAttribute(secret, null, null, { a: "hush" })).toEqual([
      "x is planned as a sensitive value, but is not configured and not computed.",
    ]);
  });
});
