// Vitest takes a member called "constructor" for the class of an object, so Node compares the hostile keys.
import { deepStrictEqual } from "node:assert";
import { runInNewContext } from "node:vm";
import { describe, expect, test } from "vitest";
import { canonical, createCodec, isTagged } from "../../../core/codec/index.js";
import type { Encoded } from "../../../core/contract/index.js";

const codec = createCodec();

function roundTrip(value: unknown): unknown {
  return codec.decode(JSON.parse(JSON.stringify(codec.encode(value))));
}

describe("every type has its form", () => {
  const pooled = Buffer.from("xxhixx").subarray(2, 4);
  const sticky = /b/y;
  sticky.lastIndex = 2;
  test.each<[string, unknown, Encoded]>([
    ["null", null, null],
    ["a string", "x", "x"],
    ["a number", 1.5, 1.5],
    ["undefined", undefined, { $undefined: true }],
    ["NaN", Number.NaN, { $number: "NaN" }],
    ["infinity", Number.POSITIVE_INFINITY, { $number: "Infinity" }],
    ["negative infinity", Number.NEGATIVE_INFINITY, { $number: "-Infinity" }],
    ["negative zero", -0, { $number: "-0" }],
    ["a bigint", -12n, { $bigint: "-12" }],
    ["a date", new Date(0), { $date: "1970-01-01T00:00:00.000Z" }],
    ["a far date", new Date(8.64e15), { $date: "+275760-09-13T00:00:00.000Z" }],
    ["an invalid date", new Date(Number.NaN), { $date: null }],
    [
      "a map",
      new Map<unknown, unknown>([
        ["k", 1],
        [{ a: 1 }, new Date(0)],
      ]),
      {
        $map: [
          ["k", 1],
          [{ a: 1 }, { $date: "1970-01-01T00:00:00.000Z" }],
        ],
      },
    ],
    ["a set", new Set([1, 1n]), { $set: [1, { $bigint: "1" }] }],
    ["a URL", new URL("https://example.com/a?b=c#d"), { $url: "https://example.com/a?b=c#d" }],
    ["a regular expression", /a\/b/giu, { $regexp: ["a\\/b", "giu"] }],
    ["a regular expression that has run", sticky, { $regexp: ["b", "y", 2] }],
    ["a registered symbol", Symbol.for("s"), { $symbol: "s" }],
    ["a buffer", Buffer.from("hi"), { $bytes: ["Buffer", "aGk="] }],
    ["a part of a buffer", new Uint8Array(pooled.buffer, pooled.byteOffset, 2), { $bytes: ["Uint8Array", "aGk="] }],
    ["a part of a view", new DataView(Uint8Array.of(1, 2, 3).buffer, 1, 1), { $bytes: ["DataView", "Ag=="] }],
    ["an array buffer", Uint8Array.of(1).buffer, { $bytes: ["ArrayBuffer", "AQ=="] }],
    ["floats", Float64Array.of(1), { $bytes: ["Float64Array", "AAAAAAAA8D8="] }],
    ["no big integers", new BigInt64Array(), { $bytes: ["BigInt64Array", ""] }],
  ])("%s", (_, value, encoded) => {
    expect(codec.encode(value)).toStrictEqual(encoded);
    expect(roundTrip(value)).toStrictEqual(value);
    expect(Object.prototype.toString.call(roundTrip(value))).toBe(Object.prototype.toString.call(value));
  });

  test("an undefined member stays, and a hole in an array becomes undefined", () => {
    expect(roundTrip({ a: undefined })).toStrictEqual({ a: undefined });
    // biome-ignore lint/suspicious/noSparseArray: the hole is what is tested
    expect(roundTrip([1, , 2])).toStrictEqual([1, undefined, 2]);
  });

  test("null-prototype objects and values of another realm are plain", () => {
    const foreign: unknown = runInNewContext(
      "({ o: {}, l: [new Date(0)], m: new Map([[1, new Set([2])]]), u: Uint8Array.of(1) })",
    );
    const bare: unknown = Object.assign(Object.create(null), { a: 1 });
    expect(roundTrip(bare)).toStrictEqual({ a: 1 });
    expect(roundTrip(foreign)).toStrictEqual({
      o: {},
      l: [new Date(0)],
      m: new Map([[1, new Set([2])]]),
      u: Uint8Array.of(1),
    });
  });

  test("one object in two places is written twice", () => {
    const shared = { a: 1 };
    expect(roundTrip({ x: shared, y: [shared, shared] })).toStrictEqual({ x: { a: 1 }, y: [{ a: 1 }, { a: 1 }] });
  });

  test("getters count as what they give; members that are not enumerable, and inherited ones, are left out", () => {
    const value = Object.defineProperty(
      {
        get a() {
          return 1;
        },
      },
      "hidden",
      { value: 2 },
    );
    Object.defineProperty(value, Symbol("hidden"), { value: 3 });
    expect(codec.encode(value)).toStrictEqual({ a: 1 });
  });
});

describe("errors", () => {
  test("keep class, name, message, stack, code, cause and errors", () => {
    const cause = Object.assign(new RangeError("inner"), { code: "E_INNER" });
    const error = new AggregateError([new TypeError("one"), "two"], "outer", { cause });
    const back = roundTrip(error);
    expect(back).toBeInstanceOf(AggregateError);
    expect(back).toMatchObject({ name: "AggregateError", message: "outer", stack: error.stack });
    expect(back).toMatchObject({ cause: { name: "RangeError", message: "inner", code: "E_INNER" } });
    expect(back).toMatchObject({ errors: [expect.any(TypeError), "two"] });
    expect(Object.keys(Object(back))).toStrictEqual([]);
  });

  test("of a program's own class become the built-in class below it, under their own name", () => {
    class Refused extends TypeError {
      override readonly name = "Refused";
    }
    const back = roundTrip(new Refused("no"));
    expect(back).toBeInstanceOf(TypeError);
    expect(String(back)).toBe("Refused: no");
    expect(roundTrip(new DOMException("gone", "AbortError"))).toMatchObject({ name: "AbortError", code: 20 });
    expect(roundTrip(Object.assign(new Error("x"), { name: "TypeError" }))).not.toBeInstanceOf(TypeError);
  });

  test("of another realm keep their class", () => {
    const foreign: unknown = runInNewContext("new RangeError('far')");
    expect(foreign).not.toBeInstanceOf(Error);
    expect(roundTrip(Object.assign(Object(foreign), { name: "Far" }))).toBeInstanceOf(RangeError);
  });

  test("without a recorded stack do not show the decoder's", () => {
    expect(codec.decode({ $error: { name: "Error", message: "x" } })).toHaveProperty("stack", "Error: x");
  });

  test("are compared without their stacks", () => {
    const [one, two] = [new Error("x"), new Error("x")];
    expect(one.stack).not.toBe(two.stack);
    expect(canonical(codec.encode([one]))).toBe(canonical(codec.encode([two])));
  });
});

describe("nothing that a program writes reads as a tag", () => {
  const keys = [
    "$",
    "$$",
    "$date",
    "$$date",
    "$undefined",
    "@date",
    "",
    "__proto__",
    "constructor",
    "toString",
    "toJSON",
    "then",
  ];
  test.each(keys)("a sole key %j", (key) => {
    for (const value of [true, "2026-01-01", { a: 1 }, { [key]: undefined }]) {
      const hostile: unknown = Object.fromEntries([[key, value]]);
      const back = roundTrip(hostile);
      expect(isTagged(codec.encode(hostile))).toBe(false);
      deepStrictEqual(back, hostile);
      expect(Object.keys(Object(back))).toStrictEqual([key]);
      expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
    }
  });

  test("an encoded value can itself be encoded", () => {
    const encoded = codec.encode({ at: new Date(0), $x: 1n });
    expect(roundTrip(encoded)).toStrictEqual(encoded);
  });
});

describe("decoding shares nothing", () => {
  test("changing what was decoded changes neither the encoded value nor the next one", () => {
    const encoded = codec.encode({ list: [{ a: 1 }], bytes: Buffer.from("x") });
    const first = JSON.stringify(encoded);
    const value = Object(codec.decode(encoded));
    value.list[0].a = 2;
    value.bytes.fill(0);
    expect(JSON.stringify(encoded)).toBe(first);
    expect(codec.decode(encoded)).toStrictEqual({ list: [{ a: 1 }], bytes: Buffer.from("x") });
  });
});

describe("canonical text", () => {
  test("depends on the order of arrays", () => {
    expect(canonical(codec.encode([1, 2]))).not.toBe(canonical(codec.encode([2, 1])));
  });

  test("leaves undefined members out, but not undefined elements", () => {
    expect(canonical(codec.encode({ a: undefined, b: [undefined] }))).toBe('{"b":[{"$undefined":true}]}');
  });
});
