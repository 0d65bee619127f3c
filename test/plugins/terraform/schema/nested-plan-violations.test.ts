import { describe, expect, test } from "vitest";
import { type CtyValue, pathText, Unknown } from "../../../../plugins/terraform/cty/index.js";
import { type Attribute, type Block, planViolations } from "../../../../plugins/terraform/schema/index.js";
import { block, computed, nested, optional } from "./shapes.js";

const unknown = new Unknown();

function found(schema: Block, prior: CtyValue, config: CtyValue, planned: CtyValue): string[] {
  return planViolations(schema, prior, config, planned).map(({ path, message }) => `${pathText(path)} ${message}`);
}

function ofAttribute(attribute: Attribute, prior: CtyValue, config: CtyValue, planned: CtyValue): string[] {
  return found(block({ x: attribute }), { x: prior }, { x: config }, { x: planned });
}

describe("a plan for nested attributes", () => {
  const inner = { a: optional, c: computed };

  test.each([
    ["single", { a: "1", c: null }, { a: "1", c: unknown }],
    ["list", [{ a: "1", c: null }], [{ a: "1", c: "x" }]],
    ["map", { k: { a: "1", c: null } }, { k: { a: "1", c: unknown } }],
    ["set", [{ a: "1", c: null }], [{ a: "1", c: unknown }]],
    ["set", [{ a: "1", c: null }], [{ a: "other", c: "x" }]],
    [
      "set",
      [
        { a: "1", c: null },
        { a: "2", c: null },
      ],
      [
        { a: "1", c: unknown },
        { a: unknown, c: "x" },
      ],
    ],
  ] as const)("as %s may fill in what is computed (%#)", (nesting, config, planned) => {
    expect(ofAttribute(nested(nesting, inner), null, config, planned)).toEqual([]);
  });

  test.each([
    ["single", { a: "1", c: null }, { a: "2", c: "x" }, 'x.a is planned as "2", but is configured as "1".'],
    ["single", { a: "1", c: null }, null, "x is planned to be absent, but is configured."],
    ["single", { a: "1", c: null }, unknown, "x is planned as unknown, but is configured."],
    [
      "single",
      null,
      { a: null, c: null },
      "x is planned as { a: null, c: null }, but is not configured and not computed.",
    ],
    ["list", [{ a: "1", c: null }], [], "x is planned with 0 elements, but configured with 1."],
    ["list", unknown, [{ a: "1", c: null }], "x is planned with 1 elements, but configured with an unknown number of."],
    ["list", [{ a: "1", c: null }], [{ a: null, c: null }], 'x[0].a is planned as null, but is configured as "1".'],
    ["map", { k: { a: "1", c: null } }, {}, "x.k is configured, but is not planned."],
    ["map", {}, { k: { a: "1", c: null } }, "x.k is planned, but is not configured."],
    ["set", [{ a: "1", c: null }], [], "x is planned with 0 elements, but configured with 1."],
    [
      "set",
      [{ a: "1", c: null }],
      [
        { a: "1", c: "x" },
        { a: "2", c: "x" },
      ],
      "x is planned with 2 elements, but configured with 1.",
    ],
  ] as const)("as %s must not be otherwise (%#)", (nesting, config, planned, want) => {
    expect(ofAttribute(nested(nesting, inner), null, config, planned)).toEqual([want]);
  });

  test("that are computed as a whole may be anything where they are not configured", () => {
    const whole = nested("list", inner, { optional: true, computed: true });
    expect(ofAttribute(whole, null, null, [{ a: "1", c: "x" }])).toEqual([]);
    expect(ofAttribute(whole, null, null, unknown)).toEqual([]);
  });

  test("with something sensitive in them are not told as a whole", () => {
    const secret = nested("single", { a: { ...optional, sensitive: true } });
    expect(ofAttribute(secret, null, null, { a: "hush" })).toEqual([
      "x is planned as a sensitive value, but is not configured and not computed.",
    ]);
  });
});
