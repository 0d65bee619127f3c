import { decode as decodeByLibrary, ExtData, encode as encodeByLibrary } from "@msgpack/msgpack";
import { expect, test } from "vitest";
import { EngineError } from "../../../../core/base/index.js";
import { type CtyType, decode, encode } from "../../../../plugins/terraform/cty/index.js";
import { anyCharacter, cases, fc } from "../../../helpers/checks/generated.ts";
import { type, typedValue } from "./generated-values.ts";

test("what was encoded decodes to what it was", () => {
  fc.assert(
    fc.property(typedValue, ({ type, value }) => {
      expect(decode(type, encode(type, value))).toEqual(value);
    }),
    { numRuns: cases(1_500) },
  );
});

test("nonsense is an error that says where, in a moment", () => {
  const nonsense = fc.oneof(fc.uint8Array({ maxLength: 40 }), damaged());
  fc.assert(
    fc.property(type, nonsense, (type, bytes) => {
      try {
        decode(type, bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(EngineError);
        expect((error as EngineError).code).toBe("PROVIDER_FAILED");
        expect((error as EngineError).message).toMatch(/^The value( at \S.*)? .+\.$/s);
      }
    }),
    { numRuns: cases(1_500) },
  );
});

test("a value with one byte of it changed or cut off never crashes", () => {
  fc.assert(
    fc.property(typedValue, fc.nat(), fc.integer({ min: 0, max: 255 }), ({ type, value }, at, byte) => {
      const bytes = encode(type, value);
      const cut = bytes.slice(0, at % bytes.length);
      bytes[at % bytes.length] = byte;
      for (const one of [bytes, cut]) {
        try {
          decode(type, one);
        } catch (error) {
          expect((error as EngineError).code).toBe("PROVIDER_FAILED");
        }
      }
    }),
    { numRuns: cases(1_500) },
  );
});

test("any JSON that another library writes is read, and ours is read by it", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: anyCharacter }), (json) => {
      const { type, value } = typed(json);
      const options = { useBigInt64: false };
      expect(decode(type, encodeByLibrary(value, options))).toEqual(value);
      expect(decodeByLibrary(encode(type, value as never), options)).toEqual(value);
    }),
    { numRuns: cases(1_500) },
  );
});

test("extensions of another library are unknown values", () => {
  expect(encode("string", decode("string", encodeByLibrary(new ExtData(0, new Uint8Array(1)))))).toEqual(
    new Uint8Array([0xd4, 0, 0]),
  );
});

/** Valid up to a point, with random bytes inserted. */
function damaged(): fc.Arbitrary<Uint8Array> {
  return fc.tuple(typedValue, fc.uint8Array({ maxLength: 4 }), fc.nat(20)).map(([{ type, value }, bytes, at]) => {
    const whole = encode(type, value);
    return new Uint8Array([...whole.slice(0, at), ...bytes, ...whole.slice(at)]);
  });
}

function typed(json: unknown): { readonly type: CtyType; readonly value: unknown } {
  if (typeof json === "string") return { type: "string", value: json.normalize("NFC") };
  if (typeof json === "number") return { type: "number", value: json + 0 || 0 };
  if (typeof json === "boolean") return { type: "bool", value: json };
  if (Array.isArray(json)) {
    const all = json.map(typed);
    return { type: ["tuple", all.map((one) => one.type)], value: all.map((one) => one.value) };
  }
  if (json === null) return { type: "string", value: null };
  const all = Object.entries(Object(json))
    // The other library refuses this name.
    .filter(([name]) => name !== "__proto__")
    .map(([name, one]) => [name.normalize("NFC"), typed(one)] as const);
  return {
    type: ["object", Object.fromEntries(all.map(([name, one]) => [name, one.type]))],
    value: Object.fromEntries(all.map(([name, one]) => [name, one.value])),
  };
}
