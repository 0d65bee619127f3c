import { describe, expect, test } from "vitest";
import { isEncodedAs, plainCopy } from "../../../core/codec/builtin.js";
import { createCodec } from "../../../core/codec/index.js";
import { NOWHERE } from "../../../core/codec/refusal.js";
import type { Encoded } from "../../../core/contract/index.js";
import { recordable } from "../../helpers/apps/recordable.js";
import { fc } from "../../helpers/checks/generated.js";

const codec = createCodec();

function throughText(encoded: Encoded): Encoded {
  return JSON.parse(JSON.stringify(encoded));
}

describe("what is recorded already", () => {
  const few = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom<unknown>(0, -0, 1, Number.NaN, "", "a", true, null, undefined, 1n, new Date(0), Symbol.for("a")),
      fc.array(tie("value"), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom("a", "$a", "$$a", "$undefined", "$number", "__proto__", "1"), tie("value"), {
        maxKeys: 2,
        noNullPrototype: true,
      }),
    ),
  })).value;

  test("is only what a value would be encoded as", () => {
    fc.assert(
      fc.property(few, few, (one, other) => {
        const recorded = throughText(codec.encode(other));
        if (isEncodedAs(one, recorded)) expect(JSON.stringify(codec.encode(one))).toBe(JSON.stringify(recorded));
        // A tree that a program could also write.
        if (isEncodedAs(recorded, recorded))
          expect(JSON.stringify(codec.encode(recorded))).toBe(JSON.stringify(recorded));
      }),
      { numRuns: 10_000 },
    );
  });

  test.each<[string, unknown]>([
    ["plain data", { a: [1, "b", { c: null, d: true }], e: {}, f: [] }],
    ["optional members that are undefined", { a: undefined, b: [undefined] }],
    ["text", "a"],
  ])("is given back by the codec as it is: %s", (_, value) => {
    const recorded = throughText(codec.encode(value));
    expect(codec.encode(value, { ...NOWHERE, slot: "props", likely: recorded })).toBe(recorded);
  });

  test.each<[string, unknown, unknown]>([
    ["another value", { a: 1 }, { a: 2 }],
    ["one member less", { a: 1, b: 1 }, { a: 1 }],
    ["one element less", [1, 2], [1]],
    ["another order of keys", { a: 1, b: 1 }, { b: 1, a: 1 }],
    ["a list in place of an object", {}, []],
    ["what a tag stands for", new Date(0), { $date: "1970-01-01T00:00:00.000Z" }],
    ["zero below zero", { a: 0 }, { a: -0 }],
  ])("is not given where there is %s", (_, before, value) => {
    const recorded = throughText(codec.encode(before));
    const encoded = codec.encode(value, { ...NOWHERE, slot: "props", likely: recorded });
    expect(encoded).not.toBe(recorded);
    expect(JSON.stringify(encoded)).toBe(JSON.stringify(codec.encode(value)));
  });

  test("is all that is looked at: to ask for what is recorded would count as having read it", () => {
    const before = (): never => {
      throw new Error("asked");
    };
    expect(codec.encode({ a: 1 }, { ...NOWHERE, slot: "data", key: "k", before })).toEqual({ a: 1 });
  });

  test("hides neither a symbol key nor a getter that throws", () => {
    const likely = { a: 1 };
    expect(() => codec.encode({ a: 1, [Symbol("b")]: 2 }, { ...NOWHERE, slot: "props", likely })).toThrow(/symbol/i);
    const broken = {
      get a(): number {
        throw new Error("no");
      },
    };
    expect(() => codec.encode(broken, { ...NOWHERE, slot: "props", likely })).toThrow(/\$\.a/);
  });
});

describe("a copy of plain data", () => {
  test("shares nothing with it, and is what a walk with all its tags gives", () => {
    // A tagged neighbor forces a walk of the whole value.
    const walked = (encoded: Encoded): unknown => {
      const both = codec.decode([encoded, { $number: "NaN" }]);
      return Array.isArray(both) ? both[0] : undefined;
    };
    fc.assert(
      fc.property(recordable, (value) => {
        const encoded = throughText(codec.encode(value));
        const copy = plainCopy(encoded);
        if (copy === undefined) return;
        expect(copy).toStrictEqual(walked(encoded));
        if (typeof copy === "object" && copy !== null) expect(copy).not.toBe(encoded);
      }),
      { numRuns: 3000 },
    );
    const inner = { b: [1, { c: 2 }] };
    const copy = plainCopy({ a: inner, list: [inner] });
    expect(copy).toStrictEqual({ a: inner, list: [inner] });
    Object.assign(inner.b, [7]);
    expect(copy).toStrictEqual({ a: { b: [1, { c: 2 }] }, list: [{ b: [1, { c: 2 }] }] });
  });

  test.each<[string, Encoded]>([
    ["a tag", { a: [{ $undefined: true }] }],
    ["a key that was escaped", { a: { $$b: 1 } }],
    ["500 levels and one", nested(501)],
  ])("is not made of what holds %s", (_, encoded) => {
    expect(plainCopy(encoded)).toBeUndefined();
  });

  test("is made of 500 levels, and keeps a key that says __proto__", () => {
    expect(plainCopy(nested(500))).toStrictEqual(nested(500));
    const encoded: Encoded = JSON.parse('{"__proto__":{"a":[1]}}');
    const copy = plainCopy(encoded);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(JSON.stringify(copy)).toBe('{"__proto__":{"a":[1]}}');
  });
});

function nested(levels: number): Encoded {
  let tree: Encoded = {};
  for (let level = 1; level < levels; level++) tree = { a: tree };
  return tree;
}
