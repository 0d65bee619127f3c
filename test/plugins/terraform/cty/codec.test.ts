import { describe, expect, test } from "vitest";
import {
  type CtyType,
  type CtyValue,
  Dynamic,
  decode,
  decodeJson,
  encode,
  parseType,
  refinementBytes,
  refinementsOf,
  typeBytes,
  Unknown,
} from "../../../../plugins/terraform/cty/index.js";

const hex = (type: CtyType, value: CtyValue): string => Buffer.from(encode(type, value)).toString("hex");
const unhex = (type: CtyType, bytes: string): CtyValue => decode(type, Buffer.from(bytes, "hex"));
const nested = (depth: number): CtyType => (depth === 0 ? "string" : ["list", nested(depth - 1)]);

describe("bytes as cty has them", () => {
  test.each<[string, CtyType, CtyValue, string]>([
    ["null", "string", null, "c0"],
    ["unknown", ["list", "string"], new Unknown(), "d40000"],
    ["unknown, not null", "string", new Unknown(new Uint8Array([0x81, 1, 0xc2])), "c7030c8101c2"],
    ["text", "string", "é", "a2c3a9"],
    ["an integer", "number", 300, "cd012c"],
    ["a negative one", "number", -33, "d0df"],
    ["a fraction", "number", 0.5, "cb3fe0000000000000"],
    ["a float that is an integer of 64 bits", "number", 2 ** 60, "cf1000000000000000"],
    ["an integer that no float holds", "number", 2n ** 53n + 1n, "cf0020000000000001"],
    ["one of more than 64 bits", "number", 2n ** 64n + 1n, "b43138343436373434303733373039353531363137"],
    ["a float of more than 64 bits", "number", 2 ** 70, "cb4450000000000000"],
    ["infinity", "number", Number.POSITIVE_INFINITY, "cb7ff0000000000000"],
    ["attributes in order", ["object", { b: "bool", a: "bool" }], { b: true, a: false }, "82a161c2a162c3"],
    ["an optional attribute", ["object", { a: "bool" }, ["a"]], {}, "81a161c0"],
    ["a dynamic value", "dynamic", new Dynamic("bool", true), "92c40622626f6f6c22c3"],
    ["a dynamic null", "dynamic", null, "c0"],
    ["a set", ["set", "number"], [3, 1], "920301"],
    ["a tuple", ["tuple", ["number", "bool"]], [1, true], "9201c3"],
  ])("%s", (_, type, value, bytes) => {
    expect(hex(type, value)).toBe(bytes);
  });
});

test.each<[string, CtyValue]>([
  ["a4302e3130", 0.1],
  ["a3312e30", 1],
  ["a431653232", 1e22],
  ["a5312e356532", 150],
  ["b5302e31303030303030303030303030303030303031", "0.1000000000000000001"],
  ["cfffffffffffffffff", 2n ** 64n - 1n],
  ["ca3f000000", 0.5],
  ["e0", -32],
])("the number %s is %s", (bytes, value) => {
  expect(unhex("number", bytes)).toBe(value);
});

test("text is sent as providers compare it: composed", () => {
  expect(unhex("string", hex("string", "e\u0301"))).toBe("\u00e9");
});

test.each<[CtyType, unknown, string]>([
  ["string", 1, "The value must be a string, not a number."],
  ["bool", "true", "The value must be true or false, not a string."],
  ["number", "many", "The value must be a number, not a string."],
  ["number", Number.NaN, "The value is not a number (NaN)."],
  ["string", "\ud800", "The value is not a valid string: it has half of a character."],
  ["dynamic", "text", "The value must be a value with its type, not a string."],
  [["map", "string"], [], "The value must be an object, not a list."],
  [["object", { a: "string" }], {}, 'The value lacks "a".'],
  [["object", { a: "string" }], { a: "", b: "" }, 'The value has "b", which its type does not have.'],
  [
    ["object", { a: ["list", ["map", "bool"]] }],
    { a: [{}, { "x y": 1 }] },
    'The value at a[1]["x y"] must be true or false, not a number.',
  ],
  [["tuple", ["string"]], [], "The value must have 1 element, not 0."],
])("a value of the type %j is not %j", (type, value, message) => {
  expect(() => encode(type, value as CtyValue)).toThrow(expect.objectContaining({ code: "INVALID_PROPS", message }));
});

test.each<[CtyType, string, string]>([
  ["string", "", "The value must be string in MessagePack, but is nothing."],
  ["string", "a5", "The value ends too early."],
  ["string", "a16100", "The value is followed by extra bytes."],
  [["list", "string"], "ddffffffff", "The value ends too early."],
  [["object", { a: "string" }], "80", 'The value lacks "a".'],
  [["object", { a: "string" }], "81a162c0", 'The value has "b", which its type does not have.'],
  [
    ["object", { a: ["list", "bool"] }],
    "81a16192c201",
    "The value at a[1] must be bool in MessagePack, but is number.",
  ],
  [["map", "string"], "8101c0", "The value has a name that must be string in MessagePack, but is number."],
  ["dynamic", "92c40478c3", "The value ends too early."],
  ["dynamic", "92c40178c3", "The value is not a type: it is not JSON."],
  ["number", "cb7ff8000000000000", "The value is not a number."],
  ["number", "a9316539393939393939", "The value is not a number."],
  ["string", `c804010c${"00".repeat(0x401)}`, "The value is an unknown value with more than 1 KiB of refinements."],
])("of the type %j, %s is not a value", (type, bytes, message) => {
  expect(() => unhex(type, bytes)).toThrow(expect.objectContaining({ code: "PROVIDER_FAILED", message }));
});

test("of an endless path, and of a long name in it, the beginning and the end are shown", () => {
  const value = { ["x".repeat(1_000)]: 1 };
  expect(() => encode(["map", "string"], value)).toThrow(
    `The value at ["${"x".repeat(100)}"…] must be a string, not a number.`,
  );
  const deep = Array.from({ length: 25 }).reduce<CtyValue>((inner) => [inner], 1);
  expect(() => encode(nested(25), deep)).toThrow(
    `The value at ${"[0]".repeat(10)}…${"[0]".repeat(10)} must be a string, not a number.`,
  );
});

test("a number of a million digits is refused in a moment", () => {
  const digits = Buffer.from(`1${"0".repeat(1_000_000)}1`);
  const bytes = Buffer.concat([Buffer.from("db000f4242", "hex"), digits]);
  expect(() => decode("number", bytes)).toThrow("The value is not a number.");
});

test("a value that is nested without an end is refused, and so is a type", () => {
  const deep = `92c408${Buffer.from('["list",').toString("hex")}`;
  expect(() => unhex("dynamic", deep)).toThrow(/not JSON|too early/);
  expect(() => parseType(typeBytes(nested(300)))).toThrow(/nested deeper than 256 levels/);
  expect(() => decode(nested(300), Buffer.alloc(400, 0x91))).toThrow(/nested deeper than 256 levels/);
  expect(parseType(typeBytes(nested(200)))).toEqual(nested(200));
});

test("what is known of an unknown value can be read, and what is not understood is passed over", () => {
  expect(refinementsOf(new Unknown())).toEqual({});
  const refinements = refinementBytes({ notNull: true, prefix: "arn:" });
  expect(refinementsOf(new Unknown(refinements))).toEqual({ notNull: true, prefix: "arn:" });
  const bounds = Buffer.from("83039201c2060501c2", "hex");
  const least = { number: 1, isIncluded: false };
  expect(refinementsOf(new Unknown(bounds))).toEqual({ notNull: true, least, longest: 5 });
  expect(hex("number", new Unknown(bounds))).toBe(`c7090c${bounds.toString("hex")}`);
  expect(() => refinementsOf(new Unknown(Buffer.from("8101", "hex")))).toThrow(/ends too early/);
});

test("values in JSON, which some providers answer with", () => {
  const type: CtyType = ["object", { a: ["set", "number"], b: "dynamic", c: "string" }];
  const json = Buffer.from('{"a":[1,"0.10"],"b":{"type":["tuple",["bool"]],"value":[true]}}');
  expect(decodeJson(type, json)).toEqual({ a: [1, 0.1], b: new Dynamic(["tuple", ["bool"]], [true]), c: null });
  expect(() => decodeJson(type, Buffer.from('{"a":[true]}'))).toThrow("The value at a[0] must be a number.");
});

test("numbers in JSON keep all their digits, whatever stands beside them", () => {
  const type: CtyType = ["object", { a: ["list", "number"], "9.10": "string", b: ["map", "string"] }];
  const json =
    '{"a":[9007199254740993,0.12345678901234567890123,1e3,-1.5],"9.10":"12345678901234567890","b":{"__proto__":"n1"}}';
  expect(decodeJson(type, Buffer.from(json))).toEqual({
    a: [9007199254740993n, "0.12345678901234567890123", 1_000, -1.5],
    "9.10": "12345678901234567890",
    b: Object.fromEntries([["__proto__", "n1"]]),
  });
  for (const wrong of [
    '"9007199254740993"',
    "9007199254740993",
    '{"a":[9007199254740993',
    '{"a":[9007199254740993.1.2]}',
  ])
    expect(() => decodeJson(type, Buffer.from(wrong))).toThrow(/must be an object|is not JSON/);
  expect(() => decodeJson("string", Buffer.from("9007199254740993"))).toThrow("must be a string");
});
