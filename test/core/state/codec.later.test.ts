import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Later } from "../../../core/base/index.js";
import { createCodec, type ValueLocation } from "../../../core/codec/index.js";
import type { DecodeContext, EncodeContext, Encoded } from "../../../core/contract/index.js";
import { quiet } from "../../helpers/time/gate.ts";

class Money {
  readonly cents: number;
  constructor(cents: number) {
    this.cents = cents;
  }
}

const soon = <T>(value: T): Later<T> => new Later(new Promise((resolve) => setImmediate(() => resolve(value))));
function complete(encoded: Encoded | Promise<Encoded>): Promise<Encoded> {
  if (encoded instanceof Promise) return encoded;
  throw new Error("Nobody needed time.");
}

const place: ValueLocation = { scope: undefined, fqn: "app/dev/a", owner: "uid", slot: "props" };

const slow = createCodec({
  encodeValue: ({ value }) => (value instanceof Money ? soon<Encoded>({ $money: value.cents }) : undefined),
  decodeValue: ({ tag, body }) => (tag === "$money" ? soon({ value: new Money(Number(body)) }) : undefined),
});

describe("an answer that comes later", () => {
  test("is awaited wherever it stands, in both directions", async () => {
    const value = () => ({
      list: [new Money(1), { deep: new Money(2) }],
      map: new Map([["k", new Money(3)]]),
      set: new Set([new Money(4)]),
      error: new Error("x", { cause: new Money(5) }),
      plain: 6,
    });
    const encoded = await complete(slow.encode(value(), place));
    expect(JSON.stringify(encoded)).toContain('"map":{"$map":[["k",{"$money":3}]]}');
    const decoded = Object(await slow.decode(encoded, place));
    expect(decoded.list).toEqual(value().list);
    expect(decoded.map).toEqual(value().map);
    expect(decoded.set).toEqual(value().set);
    expect(decoded.error.cause).toEqual(new Money(5));
  });

  test("keeps what else was passed as it was at first, whatever the program does to it meanwhile", async () => {
    const value = { fee: new Money(1), list: [1] };
    const encoding = slow.encode(value, place);
    value.list.push(2);
    value.fee = new Money(9);
    expect(await complete(encoding)).toEqual({ fee: { $money: 1 }, list: [1] });
  });

  test("rejects with what its promise rejected with", async () => {
    const failing = createCodec({
      encodeValue: () => new Later<Encoded>(Promise.reject(new Error("no key"))),
      decodeValue: () => new Later<{ value: unknown }>(Promise.reject(new Error("no key"))),
    });
    await expect(failing.encode([new Money(1)], place)).rejects.toThrow("no key");
    await expect(failing.decode([{ $money: 1 }], place)).rejects.toThrow("no key");
  });

  test("must also be a tag; and is refused if it is not awaited", async () => {
    const wrong = createCodec({ encodeValue: () => soon<Encoded>([1]) });
    await expect(wrong.encode(new Money(1), place)).rejects.toMatchObject({ code: "PLUGIN_FAILED" });
    expect(() => slow.encode(new Money(1))).toThrow(expect.objectContaining({ code: "PLUGIN_FAILED" }));
  });
});

describe("a tap", () => {
  test("gets the place of a value and the recorded value; the same for decoding", () => {
    const told: Partial<EncodeContext & DecodeContext>[] = [];
    const before: Encoded[] = [];
    const codec = createCodec({
      encodeValue: (context) => {
        told.push(context);
        before.push(...context.before());
        return { $money: 1 };
      },
      decodeValue: (context) => {
        told.push(context);
        return { value: 1 };
      },
    });
    const value = { "a/b": new Map([["k", [new Money(1)]]]), $x: new Money(2), __proto__x: new Money(3) };
    const recorded = { "a/b": { $map: [["k", [{ $money: 11 }]]] }, $$x: { $money: 12 } };
    const at: ValueLocation = { ...place, slot: "data", key: "k~", before: () => [undefined, recorded, null] };
    const encoded = codec.encode(value, at);
    codec.decode(encoded instanceof Promise ? null : encoded, at);
    const paths = ["/k~0/a~1b/0/1/0", "/k~0/$x", "/k~0/__proto__x"];
    expect(told.map(({ path }) => path)).toEqual([...paths, ...paths]);
    for (const context of told) expect(context).toMatchObject({ owner: "uid", slot: "data", fqn: "app/dev/a" });
    expect(before).toEqual(expect.arrayContaining([{ $money: 11 }, { $money: 12 }]));
  });

  test("may encode and decode what its value holds, at the same place", () => {
    class Box {
      readonly content: unknown;
      constructor(content: unknown) {
        this.content = content;
      }
    }
    const paths: string[] = [];
    const codec = createCodec({
      encodeValue: ({ value, encode, path }) => {
        paths.push(path);
        return value instanceof Box ? { $box: JSON.stringify(encode(value.content)) } : undefined;
      },
      decodeValue: ({ tag, body, decode, path }) => {
        paths.push(path);
        return tag === "$box" ? { value: new Box(decode(JSON.parse(String(body)))) } : undefined;
      },
    });
    const value = [new Box({ at: new Date(0), inner: new Box(1n) })];
    expect(codec.decode(codec.encode(value))).toEqual(value);
    expect(paths).toEqual(["/0", "/0/inner", "/0", "/0/inner"]);
    const cycle: { box?: Box } = {};
    cycle.box = new Box(cycle);
    expect(() => codec.encode(cycle)).toThrow(expect.objectContaining({ code: "UNSERIALIZABLE" }));
  });
});

class Slow {
  constructor(readonly text: string) {}
}

class Box {
  constructor(readonly inner: unknown) {}
}

/** `Slow` is asynchronous in both directions; `Box` is synchronous, and holds any value directly under its tag. */
function codecWith({ fails = false, isSlowBox = false } = {}) {
  const soon = async <T>(value: T): Promise<T> => (fails ? Promise.reject(new Error("no key")) : value);
  return createCodec({
    encodeValue: ({ value, encode }: EncodeContext) => {
      if (value instanceof Slow) return new Later(soon({ $slow: value.text }));
      return value instanceof Box ? { $box: encode(value.inner) } : undefined;
    },
    decodeValue: ({ tag, body, decode }: DecodeContext) => {
      if (tag === "$slow") return new Later(soon({ value: new Slow(String(body)) }));
      if (tag !== "$box") return undefined;
      if (isSlowBox) return new Later(soon(null).then(() => ({ value: new Box(decode(body)) })));
      const inner = decode(body);
      if (inner === undefined) throw new TypeError("a box is never empty");
      return { value: new Box(inner) };
    },
  });
}

describe("what takes time inside of what another plugin decodes", () => {
  test.each<[string, Encoded, unknown]>([
    ["right under its tag", { a: { $box: { $slow: "x" } } }, { a: new Box(new Slow("x")) }],
    ["deeper", { $box: [1, { $slow: "x" }, { b: { $slow: "y" } }] }, new Box([1, new Slow("x"), { b: new Slow("y") }])],
    ["in two of them", { $box: { $box: { $slow: "x" } } }, new Box(new Box(new Slow("x")))],
  ])("is waited for: %s", async (_where, encoded, value) => {
    expect(await codecWith().decode(encoded, place)).toStrictEqual(value);
  });

  test("is refused where that one takes time itself", async () => {
    const decoded = codecWith({ isSlowBox: true }).decode({ a: { $box: { $slow: "x" } } }, place);
    await expect(decoded).rejects.toMatchObject({ code: "PLUGIN_FAILED", message: expect.stringContaining("$.a") });
  });
});

describe("what takes time inside of what another plugin encodes", () => {
  test.each<[string, unknown, Encoded]>([
    ["right under its tag", { a: new Box(new Slow("x")) }, { a: { $box: { $slow: "x" } } }],
    [
      "deeper",
      [new Box([1, { b: new Slow("y") }]), new Slow("z")],
      [{ $box: [1, { b: { $slow: "y" } }] }, { $slow: "z" }],
    ],
    ["in two of them", new Box(new Box(new Slow("x"))), { $box: { $box: { $slow: "x" } } }],
  ])("is waited for: %s", async (_where, value, encoded) => {
    await expect(codecWith().encode(value, place)).resolves.toStrictEqual(encoded);
  });

  test.each<[string, (inner: Encoded) => Encoded | Later<Encoded>]>([
    ["makes a text of it", (inner) => ({ $box: JSON.stringify(inner) })],
    ["takes time itself", (inner) => new Later(Promise.resolve({ $box: inner }))],
  ])("is refused where that one %s", (_how, made) => {
    const { encode } = createCodec({
      encodeValue: ({ value, encode: inside }: EncodeContext) =>
        value instanceof Box ? made(inside(value.inner)) : new Later(Promise.resolve({ $slow: "x" })),
    });
    const failure = { code: "PLUGIN_FAILED", message: expect.stringContaining("$.a") };
    expect(() => encode({ a: new Box(new Slow("x")) }, place)).toThrow(expect.objectContaining(failure));
  });
});

describe("an answer that fails later", () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  beforeEach(() => void process.on("unhandledRejection", note));
  afterEach(() => {
    process.off("unhandledRejection", note);
    expect(unhandled).toEqual([]);
  });

  test("does not end the process where encoding has failed at something else before", async () => {
    const { encode } = codecWith({ fails: true });
    expect(() => encode([new Slow("x"), () => 1], place)).toThrow(expect.objectContaining({ code: "UNSERIALIZABLE" }));
    expect(() => encode([new Slow("x")])).toThrow(expect.objectContaining({ code: "PLUGIN_FAILED" }));
    await quiet();
  });

  test("does not end the process where decoding has failed at something else before", async () => {
    const { decode } = codecWith({ fails: true });
    expect(() => decode([{ $slow: "x" }, { $unknown: 1 }], place)).toThrow(
      expect.objectContaining({ code: "STATE_CORRUPT" }),
    );
    void decode([{ $slow: "x" }], place);
    await quiet();
  });
});

test("what is recorded before is found under the tags of any number of plugins", () => {
  const seen: (readonly Encoded[])[] = [];
  const codec = createCodec({
    encodeValue: ({ value, encode, before }: EncodeContext): Encoded => {
      if (value instanceof Box) return { $box: encode(value.inner) };
      seen.push(before());
      return { $slow: "" };
    },
  });
  const before = { a: { $box: { $box: { b: { $box: { $slow: "x" } } } } } };
  const value = { a: new Box(new Box({ b: new Box(new Slow("x")) })) };
  codec.encode(value, { ...place, before: () => [before] });
  expect(seen).toEqual([[{ $box: { $slow: "x" } }, { $slow: "x" }, "x"]]);
});
