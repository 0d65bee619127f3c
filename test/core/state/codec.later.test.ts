import { describe, expect, test } from "vitest";
import { Later } from "../../../core/base/index.js";
import { createCodec, type ValueLocation } from "../../../core/codec/index.js";
import type { DecodeContext, EncodeContext, Encoded } from "../../../core/contract/index.js";

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

  test("has to be a tag, too; and is refused where nobody waits for it", async () => {
    const wrong = createCodec({ encodeValue: () => soon<Encoded>([1]) });
    await expect(wrong.encode(new Money(1), place)).rejects.toMatchObject({ code: "PLUGIN_FAILED" });
    expect(() => slow.encode(new Money(1))).toThrow(expect.objectContaining({ code: "PLUGIN_FAILED" }));
  });
});

describe("a tap", () => {
  test("is told where a value stands, what is recorded there, and the same for decoding", () => {
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
