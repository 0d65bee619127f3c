import { describe, expect, test } from "vitest";
import { unknownValue } from "../../../../core/base/index.js";
import { configOf, programPathText } from "../../../../plugins/terraform/schema/index.js";
import { bucket, rule } from "./bucket.js";
import { block, blocks } from "./shapes.js";

function problems(props: unknown, of = bucket): string[] {
  return configOf(of, props).problems.map(({ path, message }) => `${programPathText(path)} ${message}`);
}

describe("props that are not valid are told by their own names", () => {
  test.each([
    ["what is required and missing", {}, ["bucketName is missing."]],
    [
      "a name that is nearly one",
      { bucketNam: "b" },
      ['bucketNam is no prop of this type. Did you mean "bucketName"?', "bucketName is missing."],
    ],
    [
      "the provider's own name",
      { bucketName: "b", is_public: true },
      ['is_public is no prop of this type. Did you mean "isPublic"?'],
    ],
    [
      "a name within a block",
      { bucketName: "b", inRule: [{ fromPort: 1, fromPrt: 2 }] },
      ['inRule[0].fromPrt is no prop of this type. Did you mean "fromPort"?'],
    ],
    [
      "a name within an object",
      { bucketName: "b", corsRules: [{ max_age: 2 }] },
      ['corsRules[0].max_age is no prop of this type. Did you mean "maxAge"?'],
    ],
    ["a wrong type", { bucketName: "b", keptFor: "long" }, ["keptFor must be a number, and is a text."]],
    [
      "a wrong type deep inside",
      { bucketName: "b", corsRules: [{ allowedHosts: [["x"]] }] },
      ["corsRules[0].allowedHosts[0] must be a text, and is a list."],
    ],
    [
      "a list that is none",
      { bucketName: "b", keyList: { keyId: "x" } },
      ["keyList must be a list, and is an object."],
    ],
    [
      "what only the provider sets",
      { bucketName: "b", id: "x", inRule: { fromPort: 1, ruleId: "y" } },
      [
        "id is set by the provider: it cannot be given.",
        "inRule[0].ruleId is set by the provider: it cannot be given.",
      ],
    ],
    [
      "too many blocks",
      { bucketName: "b", inRule: [1, 2, 3].map((fromPort) => ({ fromPort })) },
      ["inRule must have at most 2 blocks, and has 3."],
    ],
    ["a block that is no object", { bucketName: "b", timeOuts: 5 }, ["timeOuts must be an object, and is a number."]],
    ["a function", { bucketName: () => "b" }, ["bucketName is a function, which no provider takes."]],
    [
      "bytes",
      { bucketName: new Uint8Array(1) },
      ["bucketName is bytes, which providers take as text, e.g. in base64."],
    ],
    [
      "half a character",
      { bucketName: "\ud83d" },
      ["bucketName has half of a character in it, which no provider takes."],
    ],
    ["an invalid date", { bucketName: new Date("x") }, ["bucketName is an invalid date."]],
    [
      "a number that is none",
      { bucketName: "b", policyValue: Number.NaN },
      ["policyValue must be a finite number, and is NaN."],
    ],
  ])("%s", (_what, props, want) => {
    expect(problems(props)).toEqual(want);
  });

  test("blocks that must be there", () => {
    const must = (nesting: "list" | "single", minItems: number) =>
      block({}, { a_b: { ...blocks(nesting, rule), minItems } });
    expect(problems({}, must("list", 2))).toEqual(["aB is missing."]);
    expect(problems({ aB: [{ fromPort: 1 }] }, must("list", 2))).toEqual([
      "aB must have at least 2 blocks, and has 1.",
    ]);
    expect(problems({ aB: [] }, must("list", 1))).toEqual(["aB must have at least 1 block, and has none."]);
    expect(problems({}, must("single", 1))).toEqual(["aB is missing."]);
    expect(problems({ aB: unknownValue("x") }, must("list", 2))).toEqual([]);
  });
});
