import { describe, expect, test } from "vitest";
import { unknownValue } from "../../../../core/base/index.js";
import { Dynamic, Unknown } from "../../../../plugins/terraform/cty/index.js";
import { configOf, programPathText } from "../../../../plugins/terraform/schema/index.js";
import { bucket, nothing, rule } from "./bucket.js";
import { block, blocks } from "./shapes.js";

function given(props: object): unknown {
  const { value, problems } = configOf(bucket, { bucketName: "b", ...props });
  expect(problems).toEqual([]);
  return value;
}

describe("props as a configuration", () => {
  test("have null for what is absent, and no blocks", () => {
    expect(given({})).toEqual(nothing);
    expect(given({ allTags: undefined, inRule: null, timeOuts: undefined })).toEqual(nothing);
  });

  test("are in the provider's names, keys of maps as they are", () => {
    const props = {
      allTags: { a_b: "1", camelCase: "2" },
      corsRules: [{ allowedHosts: ["x"], maxAge: 5 }],
      logIn: { userName: "me" },
      keyList: [{ keyId: "k" }, {}],
      inRule: [{ fromPort: 1 }],
      byName: { my_rule: { fromPort: 2, cidrBlocks: ["y"] } },
      timeOuts: { toCreate: "1h" },
      allDefaults: { storageClass: "cold" },
    };
    expect(given(props)).toEqual({
      ...nothing,
      all_tags: { a_b: "1", camelCase: "2" },
      cors_rules: [{ allowed_hosts: ["x"], max_age: 5 }],
      log_in: { user_name: "me" },
      key_list: [{ key_id: "k" }, { key_id: null }],
      in_rule: [{ from_port: 1, cidr_blocks: null, rule_id: null }],
      by_name: { my_rule: { from_port: 2, cidr_blocks: ["y"], rule_id: null } },
      time_outs: { to_create: "1h" },
      all_defaults: { storage_class: "cold" },
    });
  });

  test("may give one block as an object", () => {
    expect(given({ inRule: { fromPort: 1 }, outRule: { fromPort: 2 } })).toMatchObject({
      in_rule: [{ from_port: 1 }],
      out_rule: [{ from_port: 2 }],
    });
  });

  test("have members of an object that are absent as null", () => {
    expect(given({ corsRules: [{ maxAge: 1 }] })).toMatchObject({ cors_rules: [{ allowed_hosts: null, max_age: 1 }] });
  });

  test("take what JavaScript has for values", () => {
    const props = {
      bucketName: new URL("https://a.example/b"),
      allTags: new Map([
        ["k", new Date("2026-01-02T03:04:05Z")],
        ["f", new Date("2026-01-02T03:04:05.678Z")],
      ]),
      keptFor: 2n ** 70n,
      outRule: new Set([{ fromPort: "3", cidrBlocks: new Set(["a"]) }]),
      isPublic: "true",
    };
    expect(given(props)).toEqual({
      ...nothing,
      bucket_name: "https://a.example/b",
      all_tags: { k: "2026-01-02T03:04:05Z", f: "2026-01-02T03:04:05.678Z" },
      kept_for: 2n ** 70n,
      out_rule: [{ from_port: 3, cidr_blocks: ["a"], rule_id: null }],
      is_public: true,
    });
  });

  test("find out the type of what may have any, with the names that it has", () => {
    expect(given({ policyValue: { some_key: [1, "x"], camelCase: true } })).toMatchObject({
      policy_value: new Dynamic(["object", { some_key: ["tuple", ["number", "string"]], camelCase: "bool" }], {
        some_key: [1, "x"],
        camelCase: true,
      }),
    });
  });

  test("give a set each element once", () => {
    expect(given({ outRule: [{ fromPort: 1 }, { fromPort: "1" }] })).toMatchObject({ out_rule: [{ from_port: 1 }] });
  });

  test("are unknown where a plan does not know them yet", () => {
    const id = unknownValue("app/dev/x.id");
    expect(
      given({
        keptFor: id,
        allTags: { a: `x-${String(id)}` },
        inRule: id,
        corsRules: [{ maxAge: id }],
        timeOuts: id,
        policyValue: [id],
      }),
    ).toMatchObject({
      kept_for: new Unknown(),
      all_tags: { a: new Unknown() },
      in_rule: new Unknown(),
      cors_rules: [{ max_age: new Unknown() }],
      time_outs: new Unknown(),
      policy_value: new Dynamic(["tuple", ["dynamic"]], [new Unknown()]),
    });
  });
});

function problems(props: unknown, of = bucket): string[] {
  return configOf(of, props).problems.map(({ path, message }) => `${programPathText(path)} ${message}`);
}

describe("invalid props are reported by their own names", () => {
  const b = { bucketName: "b" };

  test.each([
    ["what is required and missing", {}, "bucketName is missing."],
    [
      "a name that is nearly one",
      { bucketNam: "b" },
      ['bucketNam is not a prop of this type. Did you mean "bucketName"?', "bucketName is missing."],
    ],
    [
      "the provider's own name",
      { ...b, is_public: true },
      'is_public is not a prop of this type. Did you mean "isPublic"?',
    ],
    [
      "a name within a block",
      { ...b, inRule: [{ fromPort: 1, fromPrt: 2 }] },
      'inRule[0].fromPrt is not a prop of this type. Did you mean "fromPort"?',
    ],
    [
      "a name within an object",
      { ...b, corsRules: [{ max_age: 2 }] },
      'corsRules[0].max_age is not a prop of this type. Did you mean "maxAge"?',
    ],
    ["a wrong type", { ...b, keptFor: "long" }, "keptFor must be a number, but is a string."],
    [
      "a wrong type deep inside",
      { ...b, corsRules: [{ allowedHosts: [["x"]] }] },
      "corsRules[0].allowedHosts[0] must be a string, but is a list.",
    ],
    ["a list that is none", { ...b, keyList: { keyId: "x" } }, "keyList must be a list, but is an object."],
    [
      "what only the provider sets",
      { ...b, id: "x", inRule: { fromPort: 1, ruleId: "y" } },
      [
        "id is set by the provider. Remove it from the props.",
        "inRule[0].ruleId is set by the provider. Remove it from the props.",
      ],
    ],
    [
      "too many blocks",
      { ...b, inRule: [1, 2, 3].map((fromPort) => ({ fromPort })) },
      "inRule must have at most 2 blocks, but has 3.",
    ],
    ["a block that is no object", { ...b, timeOuts: 5 }, "timeOuts must be an object, but is a number."],
    ["a function", { bucketName: () => "b" }, "bucketName is a function, which no provider accepts."],
    ["bytes", { bucketName: new Uint8Array(1) }, "bucketName is bytes. Pass them as text, e.g. in base64."],
    [
      "half a character",
      { bucketName: "\ud83d" },
      "bucketName contains half of a character (a lone surrogate), which no provider accepts.",
    ],
    ["an invalid date", { bucketName: new Date("x") }, "bucketName is an invalid date."],
    ["a number that is none", { ...b, policyValue: Number.NaN }, "policyValue must be a finite number, but is NaN."],
  ] as [string, object, string | string[]][])("%s", (_what, props, want) => {
    expect(problems(props)).toEqual([want].flat());
  });

  test("blocks that must be there", () => {
    const must = (nesting: "list" | "single", minItems: number) =>
      block({}, { a_b: blocks(nesting, rule, [minItems, 0]) });
    expect(problems({}, must("list", 2))).toEqual(["aB is missing."]);
    expect(problems({ aB: [{ fromPort: 1 }] }, must("list", 2))).toEqual([
      "aB must have at least 2 blocks, but has 1.",
    ]);
    expect(problems({ aB: [] }, must("list", 1))).toEqual(["aB must have at least 1 block, but has none."]);
    expect(problems({}, must("single", 1))).toEqual(["aB is missing."]);
    expect(problems({ aB: unknownValue("x") }, must("list", 2))).toEqual([]);
  });
});
