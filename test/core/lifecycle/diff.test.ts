import { describe, expect, test } from "vitest";
import { changedPaths } from "../../../core/apply/index.js";
import { canonical, createCodec } from "../../../core/codec/index.js";
import type { Encoded } from "../../../core/contract/index.js";
import { fc } from "../../helpers/checks/generated.js";

const { encode } = createCodec();

function changes(before: unknown, after: unknown): readonly string[] {
  return changedPaths(encode(before), encode(after));
}

describe("nothing has changed", () => {
  test.each<[string, unknown, unknown]>([
    ["when keys stand in another order", { a: 1, b: { c: 1, d: 2 } }, { b: { d: 2, c: 1 }, a: 1 }],
    ["when an undefined member is absent", { a: undefined, b: { c: undefined } }, { b: {} }],
    ["when an absent member is undefined", {}, { a: undefined }],
    [
      "when a Set or a Map is in another order",
      [new Set([1, "a"]), new Map(Object.entries({ x: 1, y: 2 }))],
      [new Set(["a", 1]), new Map(Object.entries({ y: 2, x: 1 }))],
    ],
    [
      "when bytes, dates and URLs are equal by value",
      [Uint8Array.of(1), new Date(0), new URL("a:b")],
      [Uint8Array.of(1), new Date(0), new URL("a:b")],
    ],
    ["when only the stack of an error differs", { e: new Error("x") }, { e: new Error("x") }],
    [
      "in members that objects inherit",
      JSON.parse('{"toString":1,"__proto__":{"a":1}}'),
      JSON.parse('{"__proto__":{"a":1},"toString":1}'),
    ],
  ])("%s", (_, before, after) => {
    expect(changes(before, after)).toStrictEqual([]);
    expect(changes(after, before)).toStrictEqual([]);
  });

  test("the answer is one and the same array, and frozen", () => {
    const paths = changes({ a: 1 }, { a: 1 });
    expect(changes({ b: [1] }, { b: [1] })).toBe(paths);
    expect(Object.isFrozen(paths)).toBe(true);
  });
});

describe("what has changed is named by JSON Pointers", () => {
  test.each<[string, unknown, unknown, readonly string[]]>([
    ["a member", { a: 1, b: 2 }, { a: 1, b: 3 }, ["/b"]],
    ["members at any depth", { a: { b: { c: 1, d: 1 } }, e: 1 }, { a: { b: { c: 2, d: 1 } }, e: 2 }, ["/a/b/c", "/e"]],
    ["a member that was added", {}, { a: { b: 1 } }, ["/a"]],
    ["a member that was removed", { a: { b: 1 }, c: 1 }, { c: 1 }, ["/a"]],
    ["a member that became undefined", { a: 1 }, { a: undefined }, ["/a"]],
    ["null, which is not undefined", { a: null }, {}, ["/a"]],
    ["elements of an array", [1, { a: 1 }, 3], [0, { a: 2 }, 3], ["/0", "/1/a"]],
    ["an array that grew, as a whole", { l: [1, 2] }, { l: [1, 2, 3] }, ["/l"]],
    ["an undefined element", [undefined], [1], ["/0"]],
    ["a date", { at: new Date(0) }, { at: new Date(1) }, ["/at"]],
    ["a Map as a whole", { m: new Map([["k", { a: 1 }]]) }, { m: new Map([["k", { a: 2 }]]) }, ["/m"]],
    ["a Set as a whole", { s: new Set([1, 1n]) }, { s: new Set([1, 2n]) }, ["/s"]],
    ["an error's message", { e: new Error("x") }, { e: new Error("y") }, ["/e"]],
    [
      "a change of type",
      { a: [], b: {}, c: new Date(0), d: 1 },
      { a: {}, b: "", c: { $date: 0 }, d: "1" },
      ["/a", "/b", "/c", "/d"],
    ],
    ["a change between types without content", [new Set(), new Date(Number.NaN)], [new Map(), null], ["/0", "/1"]],
    ["zero and negative zero", [0], [-0], ["/0"]],
    [
      "keys by their own names",
      { $date: 1, "a/b": 1, "~": 1, "": 1 },
      { $date: 2, "a/b": 2, "~": 2, "": 2 },
      ["/$date", "/a~1b", "/~0", "/"],
    ],
    ["keys that objects inherit", {}, { toString: 1, constructor: 1 }, ["/toString", "/constructor"]],
    ["__proto__", JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":2}}'), ["/__proto__/a"]],
    ["__proto__ that was added", {}, JSON.parse('{"__proto__":{}}'), ["/__proto__"]],
    ["the root", 1, 2, [""]],
    ["a root of another type", { a: 1 }, [1], [""]],
  ])("%s", (_, before, after, paths) => {
    expect(changes(before, after)).toStrictEqual(paths);
    expect([...changes(after, before)].sort()).toStrictEqual([...paths].sort());
  });

  test("a tag that became another one with the same body", () => {
    expect(changedPaths({ a: { $date: null } }, { a: { $other: null } })).toStrictEqual(["/a"]);
  });

  test("the root where one of the two is not there", () => {
    expect(changedPaths(undefined, {})).toStrictEqual([""]);
    expect(changedPaths(null, undefined)).toStrictEqual([""]);
    expect(changedPaths(undefined, undefined)).toStrictEqual([]);
    expect(changedPaths(undefined, encode(undefined))).toStrictEqual([]);
  });
});

describe("the plugin that encoded a value can tell whether it is the same", () => {
  const secret = (text: string, nonce: number): Encoded => ({ $secret: [text, nonce] });
  const textOf = (encoded: Encoded) => /^{"\$secret":\["(\w*)"/.exec(JSON.stringify(encoded))?.[1];
  const same = (a: Encoded, b: Encoded) => {
    const texts = [textOf(a), textOf(b)];
    return texts.includes(undefined) ? undefined : texts[0] === texts[1];
  };

  test("at any depth of plain data", () => {
    expect(changedPaths({ a: [secret("x", 1)] }, { a: [secret("x", 2)] }, same)).toStrictEqual([]);
    expect(changedPaths({ a: [secret("x", 1)] }, { a: [secret("y", 1)] }, same)).toStrictEqual(["/a/0"]);
    expect(changedPaths(secret("x", 1), "x", same)).toStrictEqual([""]);
  });

  test("inside Maps, Sets and errors, in any order", () => {
    const map = (entries: Readonly<Record<string, Encoded>>): Encoded => ({ $map: Object.entries(entries) });
    const before = [{ $set: [secret("x", 1), secret("y", 2), 3] }, map({ k: secret("x", 3), l: 1 })];
    const after = [{ $set: [3, secret("y", 4), secret("x", 5)] }, map({ l: 1, k: secret("x", 6) })];
    const other = [{ $set: [3, secret("y", 4), secret("y", 5)] }, map({ l: 1, k: secret("z", 6) })];
    expect(changedPaths(before, after, same)).toStrictEqual([]);
    expect(changedPaths(before, other, same)).toStrictEqual(["/0", "/1"]);
    const error = (nonce: number, text = "x"): Encoded => ({
      $error: { name: "Error", message: "", stack: `${nonce}`, cause: secret(text, nonce) },
    });
    expect(changedPaths(error(1), error(2), same)).toStrictEqual([]);
    expect(changedPaths(error(1), error(1, "y"), same)).toStrictEqual([""]);
  });

  test("one for one: two equal secrets are not both equal to a single one", () => {
    const before: Encoded = { $set: [secret("x", 1), secret("x", 2)] };
    const after: Encoded = { $set: [secret("x", 3), secret("y", 4)] };
    expect(changedPaths(before, after, same)).toStrictEqual([""]);
  });

  test("it is asked about tagged values only, and without an opinion they are compared", () => {
    const asked: [Encoded, Encoded][] = [];
    const ask = (a: Encoded, b: Encoded) => void asked.push([a, b]);
    expect(changedPaths({ a: 1, b: [{ $x: 1 }] }, { a: 1, b: [{ $x: 1 }] }, ask)).toStrictEqual([]);
    expect(asked).toStrictEqual([[{ $x: 1 }, { $x: 1 }]]);
    expect(changedPaths({ b: { $x: { k: 1, l: 1 } } }, { b: { $x: { l: 1, k: 2 } } }, ask)).toStrictEqual(["/b"]);
  });

  test("a wide and deep nest of Sets takes no exponential time", () => {
    const nest = (leaf: number): Encoded => {
      let encoded: Encoded = leaf;
      for (let level = 0; level < 200; level++) encoded = { $set: [encoded, level] };
      return encoded;
    };
    expect(changedPaths(nest(1), nest(2), () => undefined)).toStrictEqual([""]);
  });
});

describe("whatever the values", () => {
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    // Few leaves and few keys, so that equal and nearly equal values are frequent.
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(0, -0, 1, "x", null, undefined, 1n, Number.NaN),
      fc.constantFrom(0, 1).map((time) => new Date(time)),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.array(tie("value"), { maxLength: 3 }).map((elements) => new Set(elements)),
      fc.array(fc.tuple(tie("value"), tie("value")), { maxLength: 2 }).map((entries) => new Map(entries)),
      fc.constantFrom(0, 1).map((code) => Object.assign(new Error("x"), { code })),
      fc.array(fc.tuple(fc.constantFrom("a", "b", "$a", "__proto__"), tie("value"))).map(Object.fromEntries),
    ),
  }));

  test("the diff is empty exactly when the canonical texts are equal, in both directions and with any order", () => {
    let equal = 0;
    fc.assert(
      fc.property(value, value, (a, b) => {
        const [before, after] = [encode(a), encode(b)];
        const isEqual = canonical(before) === canonical(after);
        if (isEqual) equal++;
        for (const same of [undefined, () => undefined]) {
          expect(changedPaths(before, after, same).length === 0).toBe(isEqual);
          expect(changedPaths(after, before, same).length === 0).toBe(isEqual);
        }
      }),
      { numRuns: 5000 },
    );
    expect(equal).toBeGreaterThan(50);
  });
});
