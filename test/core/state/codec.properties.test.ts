import { describe, expect, test } from "vitest";
import { canonical, createCodec, isTagged, sameEncoded } from "../../../core/codec/index.js";
import { recordableKey as key, recordable as value } from "../../helpers/apps/recordable.js";
import { cases, fc } from "../../helpers/checks/generated.js";

const codec = createCodec();

/** A text that differs for any two different values, written without the codec, to check it independently. */
function portrait(of: unknown): string {
  if (typeof of !== "object" || of === null) return Object.is(of, -0) ? "-0" : `${typeof of} ${String(of)}`;
  const list = (items: Iterable<unknown>) => [...items].map(portrait).join(", ");
  const kind = Object.prototype.toString.call(of) + (Buffer.isBuffer(of) ? " Buffer" : "");
  if (Array.isArray(of)) return `${kind} [${list(of)}]`;
  if (of instanceof Map || of instanceof Set) return `${kind} (${list(of)})`;
  if (of instanceof ArrayBuffer) return `${kind} ${Buffer.from(of).toString("hex")}`;
  if (ArrayBuffer.isView(of)) return `${kind} ${Buffer.from(of.buffer, of.byteOffset, of.byteLength).toString("hex")}`;
  if (of instanceof Date) return `${kind} ${of.getTime()}`;
  if (of instanceof RegExp || of instanceof URL) return `${kind} ${String(of)}`;
  if (of instanceof Error) {
    const { name, message, stack } = of;
    const rest = ["cause", "code"].map((at) => (at in of ? [portrait(Reflect.get(of, at))] : []));
    return `${kind} ${Object.getPrototypeOf(of).constructor.name} ${JSON.stringify([name, message, stack, rest])}`;
  }
  const prototype = Object.getPrototypeOf(of) === Object.prototype ? "plain" : "odd";
  return `${kind} ${prototype} {${list(Object.entries(of))}}`;
}

/** The same value with the members of objects, Maps and Sets in the opposite order. */
function reversed(of: unknown): unknown {
  if (Array.isArray(of)) return of.map(reversed);
  if (of instanceof Map) return new Map([...of].reverse().map(([k, v]) => [reversed(k), reversed(v)]));
  if (of instanceof Set) return new Set([...of].reverse().map(reversed));
  if (typeof of !== "object" || of === null || Object.getPrototypeOf(of) !== Object.prototype) return of;
  return Object.fromEntries(
    Object.entries(of)
      .reverse()
      .map(([k, v]) => [k, reversed(v)]),
  );
}

describe("whatever the value", () => {
  test("it comes back as it was, also through JSON text, and encodes the same again", () => {
    fc.assert(
      fc.property(value, (original) => {
        const encoded = codec.encode(original);
        const text = JSON.stringify(encoded);
        const back = codec.decode(JSON.parse(text));
        expect(portrait(back)).toBe(portrait(original));
        expect(portrait(codec.decode(encoded))).toBe(portrait(original));
        expect(JSON.stringify(codec.encode(back))).toBe(text);
      }),
      { numRuns: cases(3000) },
    );
  });

  test("its canonical text depends neither on the order of keys nor on that of Map entries and Set elements", () => {
    fc.assert(
      fc.property(value, (original) => {
        const encoded = codec.encode(original);
        const other = codec.encode(reversed(original));
        expect(canonical(other)).toBe(canonical(encoded));
        expect(sameEncoded(encoded, other)).toBe(true);
        expect(canonical(JSON.parse(JSON.stringify(encoded)))).toBe(canonical(encoded));
      }),
      { numRuns: cases(2000) },
    );
  });

  test("its canonical text is JSON that decodes to an equal value", () => {
    fc.assert(
      fc.property(value, (original) => {
        const text = canonical(codec.encode(original));
        expect(canonical(codec.encode(codec.decode(JSON.parse(text))))).toBe(text);
      }),
      { numRuns: cases(1000) },
    );
  });

  test("a plain object never reads as a tag, and decoding never touches a prototype", () => {
    const before = Reflect.ownKeys(Object.prototype).length;
    fc.assert(
      fc.property(fc.array(fc.tuple(key, value), { maxLength: 3 }), (entries) => {
        const encoded = codec.encode(Object.fromEntries(entries));
        expect(isTagged(encoded)).toBe(false);
        codec.decode(encoded);
        expect(Reflect.ownKeys(Object.prototype).length).toBe(before);
      }),
    );
  });
});
