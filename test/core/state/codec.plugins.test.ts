import { describe, expect, test } from "vitest";
import { EngineError } from "../../../core/base/index.js";
import { createCodec } from "../../../core/codec/index.js";
import type { DecodeContext, EncodeContext, Encoded } from "../../../core/contract/index.js";

const codec = createCodec();

class Money {
  readonly cents = 100;
}

describe("plugins", () => {
  const seen: string[] = [];
  const taught = createCodec({
    encodeValue: ({ value, path }: EncodeContext) => {
      seen.push(path);
      return value instanceof Money ? { $money: { $cents: value.cents } } : undefined;
    },
    decodeValue: ({ tag, path }: DecodeContext) => {
      seen.push(path);
      return tag === "$money" ? { value: new Money() } : undefined;
    },
  });

  test("encode and decode types of their own, in any place, under one and the same path", () => {
    const value = {
      $p: [new Money()],
      m: new Map([["k", new Set([new Money()])]]),
      "a/b~c": new Error("x", { cause: new Money() }),
    };
    const encoded = taught.encode(value);
    expect(encoded).toMatchObject({ $$p: [{ $money: { $cents: 100 } }] });
    const whileEncoding = seen.splice(0);
    expect(taught.decode(encoded)).toMatchObject({
      $p: [expect.any(Money)],
      m: new Map([["k", new Set([new Money()])]]),
    });
    expect(whileEncoding).toStrictEqual(["/$p/0", "/m/0/1/0", "/a~1b~0c/cause"]);
    expect(seen.splice(0)).toStrictEqual(whileEncoding);
  });

  test("are asked about functions and symbols, too, and never about types that the codec knows", () => {
    const open = createCodec({ encodeValue: ({ value }) => ({ $type: typeof value }) });
    expect(open.encode([() => 1, Symbol("x"), new WeakSet()])).toStrictEqual([
      { $type: "function" },
      { $type: "symbol" },
      { $type: "object" },
    ]);
    expect(open.encode([new Date(0), new Map(), new Error("x"), Buffer.from("")])).not.toContainEqual({
      $type: "object",
    });
  });

  test("must answer with a tag", () => {
    const answers: readonly Encoded[] = ["text", {}, { a: 1 }, { $$a: 1 }, { $a: 1, b: 2 }, [1]];
    for (const answer of answers) {
      const encode = () => createCodec({ encodeValue: () => answer }).encode({ a: new Money() });
      const failure = { code: "PLUGIN_FAILED", message: expect.stringContaining("$.a as something that is not a tag") };
      expect(encode).toThrow(expect.objectContaining(failure));
    }
  });

  test("may use the codec while it encodes, and their own errors come through", () => {
    const nested = createCodec({
      encodeValue: ({ value }) => (value instanceof Money ? { $money: codec.encode({ c: [1n] }) } : undefined),
    });
    expect(nested.encode([new Money()])).toStrictEqual([{ $money: { c: [{ $bigint: "1" }] } }]);
    const failure = new EngineError("NO_TUNNEL", "locked");
    const failing = createCodec({
      decodeValue() {
        throw failure;
      },
    });
    expect(() => failing.decode({ a: [{ $x: 1 }] })).toThrow(failure);
  });
});
