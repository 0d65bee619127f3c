import { describe, expect, test } from "vitest";
import {
  countOf,
  joined,
  NOTHING,
  offeredBy,
  select,
  stillOffered,
} from "../../../../plugins/terraform/generate/index.js";
import { docComment, literalsIn } from "../../../../plugins/terraform/generate/interfaces.js";
import { pascalCase, typeText } from "../../../../plugins/terraform/generate/type-text.ts";
import { providerSchema, schemaOf } from "./schemas.ts";

describe("a description", () => {
  test.each([
    ["Valid values are `gp2`, `gp3`, and `io1`.", ["gp2", "gp3", "io1"]],
    ["The mode. Must be one of `a` or `b`. More text.", ["a", "b"]],
    ['Can be either "on" or "off"', ["on", "off"]],
    ["One of: 'TCP', 'UDP'; default is TCP", ["TCP", "UDP"]],
    ["Allowed values: `x` | `y` (default `x`)", ["x", "y"]],
    ["Valid values for `type` are `a.b` and `c-d`.\nSee the docs.", ["a.b", "c-d"]],
    ["The kind. One of `a`, `b`.", ["a", "b"]],
    ["Must be one of the following: `1`, `2`", ["1", "2"]],
  ])("that lists all values gives them: %s", (text, values) => {
    expect(literalsIn(text)).toEqual(values);
  });

  test.each([
    "Possible values include `a` and `b`.",
    "Valid values are `a`.",
    "Valid values are `a`, `b`, etc.",
    "Valid values are `a`, `b` and those that the service adds.",
    "Valid values are `a`, `b` or any custom name.",
    "Valid values are a and b.",
    "Must not be one of `a`, `b`.",
    "Required if `engine` is one of `a` or `b`.",
    "The network of one of `a` or `b`.",
    "When `type` is `x`, valid values are `a` and `b`.",
    "Valid values are `a` and `b`. For others, valid values are `c` and `d`.",
    "One of `a b` or `c`.",
    "Such as one of `a` or `b`.",
    "One of the names of `<zone>` or `<region>`.",
    "Valid values are `a`, `b`, ...",
    "The name.",
  ])("that may leave some out gives none: %s", (text) => {
    expect(literalsIn(text)).toBeUndefined();
  });

  test("is a comment on as many lines as it needs, in which tags are no tags", () => {
    expect(docComment({})).toBe("");
    expect(docComment({ description: "  One.  " }, "  ")).toBe("  /** One. */\n");
    expect(docComment({ description: "One.\r\n\r\n\r\n\r\nTwo\u0000 @see.", deprecated: "Use x." })).toBe(
      "/**\n * One.\n *\n * Two \\@see.\n * @deprecated Use x.\n */\n",
    );
    expect(docComment({ description: "x".repeat(200) })).toBe(`/**\n * ${"x".repeat(200)}\n */\n`);
  });
});

test.each([
  ["dynamic", "unknown"],
  [["list", ["map", "bool"]], "readonly Readonly<Record<string, boolean>>[]"],
  [["set", ["object", { a_b: "number" }]], "readonly ({ readonly aB?: number })[]"],
  [["tuple", ["string", "number"]], "readonly [string, number]"],
  [["object", {}], "Readonly<Record<string, never>>"],
  [["object", { "a-b": "string" }], '{ readonly "a-b"?: string }'],
] as const)("the type %j is %s", (type, text) => {
  expect(typeText(type)).toBe(text);
});

test("names of types begin with a capital letter", () => {
  expect(["s3Bucket", "a_b", "google-beta", "1x"].map(pascalCase)).toEqual(["S3Bucket", "AB", "GoogleBeta", "_1x"]);
});

describe("what is named on the command line", () => {
  const names = (...types: readonly string[]) => Object.fromEntries(types.map((type) => [type, schemaOf({})]));
  const offered = offeredBy(
    "google-beta",
    providerSchema({
      resources: names("google_compute_instance", "google_compute_disk", "google_data"),
      dataSources: names("google_data", "google_zones"),
      functions: { location_of: { parameters: [], returns: "string" } },
    }),
  );

  const chosen = (...words: readonly string[]) => select(words, offered, "google-beta");

  test("is found by the provider's name without its prefix, also with stars", () => {
    expect(chosen("compute_disk").resources).toEqual(["computeDisk"]);
    expect(chosen("compute_*").resources).toEqual(["computeDisk", "computeInstance"]);
    expect(chosen("data.zone*").dataSources).toEqual(["zones"]);
    expect(chosen("functions.location_of").functions).toEqual(["locationOf"]);
  });

  test("is the type of that name, and not another one of that name behind the prefix", () => {
    const twice = offeredBy("x", providerSchema({ resources: names("x_y", "x_x_y") }));
    expect(select(["x_y"], twice, "x").resources).toEqual(["y"]);
    expect(select(["x_x_y"], twice, "x").resources).toEqual(["xY"]);
  });

  test("is found by either name, and by stars", () => {
    expect(chosen("computeInstance", "google_data", "data.zones", "functions.*")).toEqual({
      resources: ["computeInstance", "data_"],
      dataSources: ["zones"],
      ephemeral: [],
      functions: ["locationOf"],
    });
    expect(chosen("compute*", "data.*")).toMatchObject({
      resources: ["computeDisk", "computeInstance"],
      dataSources: ["data", "zones"],
    });
  });

  test("and is not there is refused with what is near", () => {
    expect(() => chosen("computeInstanze")).toThrow("computeInstance");
    expect(() => chosen("data.disk")).toThrow("Available: data, zones.");
    expect(() => chosen("ephemeral.x")).toThrow("none of this kind");
  });

  test("is added to what there was, as far as that is still offered", () => {
    const before = { ...NOTHING, resources: ["computeDisk", "gone"] };
    const now = joined(stillOffered(before, offered), chosen("computeInstance", "data.zones"));
    expect(now).toEqual({ ...NOTHING, resources: ["computeDisk", "computeInstance"], dataSources: ["zones"] });
    expect(countOf(now)).toBe(3);
  });
});
