import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Later } from "../../../core/base/index.js";
import { createCodec, type ValueLocation } from "../../../core/codec/index.js";
import type { DecodeContext, EncodeContext, Encoded } from "../../../core/contract/index.js";
import { quiet } from "../../helpers/time/gate.ts";

class Slow {
  constructor(readonly text: string) {}
}

class Box {
  constructor(readonly inner: unknown) {}
}

/** `Slow` takes time in both directions; a `Box` knows at once, and holds anything, right under its tag. */
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

const place: ValueLocation = { scope: undefined, fqn: "", owner: "o", slot: "props" };

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
