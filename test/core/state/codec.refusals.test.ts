import { describe, expect, test } from "vitest";
import { type EngineError, isEngineError } from "../../../core/base/index.js";
import { canonical, createCodec, sameEncoded } from "../../../core/codec/index.js";
import type { Encoded } from "../../../core/contract/index.js";
import { Secret } from "../../../plugins/secrets/secret.js";

const codec = createCodec();

function failureOf(fn: () => unknown): EngineError {
  try {
    fn();
  } catch (error) {
    if (isEngineError(error)) return error;
    throw error;
  }
  throw new Error("It did not fail");
}

class Money {}
class Table extends Map {}
class List extends Array {}
class Bytes extends Uint8Array {}

describe("what state cannot hold is refused, with its path and what to do", () => {
  test.each<[string, unknown, string]>([
    ["a function", function makeIt() {}, 'the function "makeIt". Pass what it returns'],
    [
      "an unnamed function",
      (
        () => () =>
          1
      )(),
      "a function. Pass what it returns",
    ],
    ["a class", Money, 'the function "Money"'],
    ["an instance of a class", new Money(), "an instance of Money. Pass a plain object"],
    ["an instance of a class without a name", new (class {})(), "an instance of a class without a name"],
    ["an object with a prototype of its own", Object.create({ a: 1 }), "an instance of Object"],
    ["an object below a bare prototype", Object.create(Object.create(null)), "an instance of a class without a name"],
    ["a subclass of Map", new Table(), "an instance of Table"],
    ["a subclass of Array", new List(), "an instance of List"],
    ["a subclass of Uint8Array", new Bytes(), "an instance of Bytes"],
    ["a boxed string", new String("x"), "an instance of String"],
    [
      "a secret",
      new Secret("s3cr3t!", "key"),
      "a secret. This engine has no plugin that encrypts secrets. Pass { plugins: [secrets()], password } to createTestApp()",
    ],
    ["a promise", Promise.resolve(1), "a promise. Await it first"],
    ["an unregistered symbol", Symbol("x"), "the unregistered symbol Symbol(x). Use Symbol.for(key)"],
    ["a well-known symbol", Symbol.iterator, "the unregistered symbol Symbol(Symbol.iterator)"],
    ["a WeakMap", new WeakMap(), "an instance of WeakMap"],
    ["a WeakRef", new WeakRef({}), "an instance of WeakRef"],
    ["a generator", (function* () {})(), "an instance of"],
    ["shared memory", new SharedArrayBuffer(1), "an instance of SharedArrayBuffer"],
    ["an abort signal", new AbortController().signal, "an instance of AbortSignal"],
    ["query parameters", new URLSearchParams("a=b"), "an instance of URLSearchParams"],
    [
      "a symbol key",
      { [Symbol("s")]: 1 },
      "an object or an array with a property under the symbol Symbol(s). Use string keys",
    ],
    [
      "a symbol key of an array",
      Object.assign([1], { [Symbol("s")]: 1 }),
      "an object or an array with a property under the symbol Symbol(s)",
    ],
  ])("%s", (_, value, found) => {
    const error = failureOf(() => codec.encode({ a: { b: [0, 1, value] } }));
    expect(error.code).toBe("UNSERIALIZABLE");
    expect(error.message).toContain(`Cannot record $.a.b[2]: it is ${found}`);
  });

  test.each<[string, readonly unknown[], string]>([
    ["a name", Object.assign([1, 2], { total: 2 }), ".total"],
    ["the first of several", Object.assign(["a"], { "1.5": 1, b: 2 }), '["1.5"]'],
    ["what is no index", Object.assign([], { "01": 1 }), '["01"]'],
    ["a name beside holes", Object.assign(new Array(2), { total: 2 }), ".total"],
    ["a match", /a/.exec("banana") ?? [], ".index"],
  ])("a member of an array beside its elements, not dropped silently: %s", (_, list, at) => {
    const error = failureOf(() => codec.encode({ a: { b: [0, list] } }));
    expect(error.code).toBe("UNSERIALIZABLE");
    expect(error.message).toContain(
      `Cannot record $.a.b[1]${at}: it is an extra property of an array, not one of its elements. Copy`,
    );
  });

  test("the path reads as code does", () => {
    const at = (value: unknown) => /Cannot record (.*): it is/.exec(failureOf(() => codec.encode(value)).message)?.[1];
    const it = new Money();
    expect(at(it)).toBe("$");
    expect(at([[it]])).toBe("$[0][0]");
    expect(at({ ok: { deep: [1] }, "a b": { "": { "0": { $x: it } } } })).toBe('$["a b"][""]["0"].$x');
    expect(
      at({
        m: new Map([
          ["x", 1],
          ["k", it as unknown],
        ]),
      }),
    ).toBe("$.m[1][1]");
    expect(at({ s: new Set([1, it]) })).toBe("$.s[1]");
    expect(at({ e: new Error("x", { cause: new AggregateError([it]) }) })).toBe("$.e.cause.errors[0]");
  });

  test("a getter that throws is named, with its error as the cause", () => {
    const cause = new Error("no such thing");
    const value = {
      ok: 1,
      list: [
        {
          get bad() {
            throw cause;
          },
        },
      ],
    };
    expect(failureOf(() => codec.encode(value))).toMatchObject({
      code: "UNSERIALIZABLE",
      message: "Cannot record $.list[0].bad: reading it failed: no such thing",
      cause,
    });
  });
});

describe("cycles", () => {
  const object: Record<string, unknown> = {};
  object.child = { parent: object };
  const list: unknown[] = [1];
  list.push({ list });
  const map = new Map<unknown, unknown>();
  map.set("self", map);
  const set = new Set<unknown>();
  set.add([set]);
  const error = new Error("x");
  error.cause = error;
  test.each<[string, unknown, string, string]>([
    ["an object", object, "$.at.child.parent", "$.at"],
    ["an array", list, "$.at[1].list", "$.at"],
    ["a map", map, "$.at[0][1]", "$.at"],
    ["a set", set, "$.at[0][0]", "$.at"],
    ["an error", error, "$.at.cause", "$.at"],
  ])("%s that holds itself is refused, naming both places", (_, at, path, ancestor) => {
    const { code, message } = failureOf(() => codec.encode({ sibling: { deep: [{}] }, at }));
    expect(code).toBe("UNSERIALIZABLE");
    expect(message).toContain(`Cannot record ${path}: it is a circular reference to ${ancestor}. Refer to`);
  });
});

describe("deep values", () => {
  const wraps: Record<string, (value: unknown) => unknown> = {
    objects: (value) => ({ a: value }),
    arrays: (value) => [value],
    sets: (value) => new Set([value]),
    errors: (cause) => new Error("x", { cause }),
  };
  function nest(levels: number, wrap: (value: unknown) => unknown): unknown {
    let value: unknown = new Date(0);
    for (let level = 0; level < levels; level++) value = wrap(value);
    return value;
  }

  test.each(Object.entries(wraps))("500 %s in one another pass through everything", (_, wrap) => {
    const encoded = codec.encode(nest(500, wrap));
    const again = codec.encode(codec.decode(JSON.parse(JSON.stringify(encoded))));
    expect(canonical(again) === canonical(encoded)).toBe(true);
    expect(sameEncoded(again, encoded)).toBe(true);
  });

  test.each(Object.entries(wraps))("10,000 %s in one another are refused, not a stack overflow", (_, wrap) => {
    const { code, message } = failureOf(() => codec.encode(nest(10_000, wrap)));
    expect(code).toBe("UNSERIALIZABLE");
    expect(message).toContain("more than 500 levels deep");
    expect(message.length).toBeLessThan(400);
  });

  test("a recorded value that is too deep is corrupt, not a stack overflow", () => {
    let encoded: Encoded = 1;
    for (let level = 0; level < 20_000; level++) encoded = level % 2 === 0 ? [encoded] : { a: encoded };
    expect(failureOf(() => codec.decode(encoded)).message).toContain("is more than 500 levels deep");
  });
});

describe("what the codec never writes is corrupt, with tag and path", () => {
  test.each<[string, Encoded]>([
    ["$foo", { $foo: 1 }],
    ["$", { $: 1 }],
    ["$date", { $date: "yesterday" }],
    ["$date", { $date: 0 }],
    ["$undefined", { $undefined: null }],
    ["$number", { $number: "12" }],
    ["$bigint", { $bigint: "" }],
    ["$bigint", { $bigint: "0x1" }],
    ["$bigint", { $bigint: "x" }],
    ["$symbol", { $symbol: 1 }],
    ["$url", { $url: "nowhere" }],
    ["$regexp", { $regexp: ["(", ""] }],
    ["$regexp", { $regexp: ["a", "", "1"] }],
    ["$regexp", { $regexp: "a" }],
    ["$bytes", { $bytes: ["Uint8Array", "a?b"] }],
    ["$bytes", { $bytes: ["Money", "AQ=="] }],
    ["$bytes", { $bytes: ["Float64Array", "AQ=="] }],
    ["$bytes", { $bytes: "AQ==" }],
    ["$map", { $map: [["k", 1], ["k"]] }],
    ["$map", { $map: { k: 1 } }],
    ["$set", { $set: 1 }],
    ["$error", { $error: "x" }],
    ["$error", { $error: { name: "Error" } }],
    ["$date", { $date: "2026-01-01T00:00:00.000Z", also: 1 }],
    ["$date", { also: 1, $date: "2026-01-01T00:00:00.000Z" }],
  ])("%s in %j", (tag, encoded) => {
    const { code, message } = failureOf(() => codec.decode({ a: [encoded] }));
    expect(code).toBe("STATE_CORRUPT");
    expect(message).toContain("$.a[0]");
    expect(message).toContain(`"${tag}"`);
  });

  test("an unknown tag says what may be missing", () => {
    expect(failureOf(() => codec.decode({ $foo: 1 })).message).toBe(
      'Recorded value at $ has the unknown tag "$foo". Install the plugin that wrote it, or update scope-engine.',
    );
  });
});
