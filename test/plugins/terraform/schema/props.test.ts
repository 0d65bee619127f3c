import { describe, expect, test } from "vitest";
import { Dynamic, Unknown } from "../../../../plugins/terraform/cty/index.js";
import { ownTypes, programPathText, propsOf, stateOf } from "../../../../plugins/terraform/schema/index.js";
import { bucket, nothing } from "./bucket.js";
import { block, blocks } from "./shapes.js";

describe("a provider's value as an output", () => {
  test("is in the program's names, without what is null", () => {
    const value = {
      ...nothing,
      id: "i",
      all_tags: { a_b: "1", none: null },
      cors_rules: [{ allowed_hosts: null, max_age: 5 }],
      in_rule: [{ from_port: 1, cidr_blocks: [], rule_id: "r" }],
    };
    expect(propsOf(bucket, value)).toEqual({
      id: "i",
      bucketName: "b",
      allTags: { a_b: "1", none: null },
      corsRules: [{ maxAge: 5 }],
      inRule: [{ fromPort: 1, cidrBlocks: [], ruleId: "r" }],
      outRule: [],
      byName: {},
      allDefaults: {},
    });
  });

  test("has what stands for it where something is not known yet", () => {
    const value = {
      ...nothing,
      id: new Unknown(),
      in_rule: [{ from_port: 1, rule_id: new Unknown() }],
      policy_value: new Dynamic(["tuple", ["dynamic"]], [new Unknown()]),
    };
    expect(propsOf(bucket, value, { unknown: (path) => `? ${programPathText(path)}` })).toMatchObject({
      id: "? id",
      inRule: [{ fromPort: 1, ruleId: "? inRule[0].ruleId" }],
      policyValue: ["? policyValue[0]"],
    });
  });
});

describe("an output as the provider's value", () => {
  const any = { type: "dynamic", optional: true, computed: true } as const;
  const schema = block(
    { any, deep: { type: ["object", { in_it: "dynamic" }], optional: true } },
    { b: blocks("list", block({ any })) },
  );

  test("is the same again, with the types that were told by itself", () => {
    const value = {
      any: new Dynamic(["set", "string"], ["a"]),
      deep: { in_it: new Dynamic("number", "0.12345678901234567890123") },
      b: new Dynamic(["tuple", [["object", { any: ["map", "bool"] }]]], [{ any: { k: true } }]),
    };
    const types = ownTypes(schema, value);
    expect(types).toEqual({
      '["any"]': ["set", "string"],
      '["deep","in_it"]': "number",
      '["b",0,"any"]': ["map", "bool"],
    });
    expect(stateOf(schema, propsOf(schema, value), types)).toEqual(value);
  });

  test("needs no types where they are found out the same", () => {
    const value = {
      any: new Dynamic(["tuple", ["string", "number"]], ["a", 1]),
      deep: null,
      b: new Dynamic(["tuple", []], []),
    };
    expect(ownTypes(schema, value)).toEqual({});
    expect(stateOf(schema, propsOf(schema, value))).toEqual(value);
  });

  test("keeps what does not fit to a type that was recorded", () => {
    expect(stateOf(schema, { any: "x" }, { '["any"]': "number" })).toMatchObject({ any: new Dynamic("string", "x") });
  });
});
