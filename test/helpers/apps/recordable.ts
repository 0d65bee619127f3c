/** Generated values of every recordable type. */
import { anyCharacter, fc } from "../checks/generated.js";

const hostileKeys = [
  "__proto__",
  "constructor",
  "toString",
  "toJSON",
  "then",
  "",
  "$",
  "$$",
  "$date",
  "$$date",
  "$map",
  "@date",
  "0",
  "a/b",
  "~",
];
export const recordableKey = fc.oneof(fc.constantFrom(...hostileKeys), fc.string({ unit: anyCharacter, maxLength: 4 }));

const bytes = fc
  .tuple(fc.uint8Array({ minLength: 8, maxLength: 32 }), fc.constantFrom(0, 8), fc.constantFrom("whole", "part"))
  .chain(([{ buffer }, offset, size]) => {
    const whole = new Uint8Array(buffer.slice(0, 8 * Math.floor(buffer.byteLength / 8))).buffer;
    const at = Math.min(offset, whole.byteLength - 8);
    const count = size === "part" ? 1 : undefined;
    return fc.constantFrom<ArrayBuffer | ArrayBufferView>(
      whole,
      new DataView(whole, at, count),
      Buffer.from(whole, at, count),
      new Int8Array(whole, at, count),
      new Uint8Array(whole, at, count),
      new Uint8ClampedArray(whole, at, count),
      new Int16Array(whole, at, count),
      new Uint16Array(whole, at, count),
      new Int32Array(whole, at, count),
      new Uint32Array(whole, at, count),
      new Float32Array(whole, at, count),
      new Float64Array(whole, at, count),
      new BigInt64Array(whole, at, count),
      new BigUint64Array(whole, at, count),
    );
  });

/** Newer than the project's language level, which a literal would have to respect. */
const setsFlag = "v";

const errorClass = fc.constantFrom(Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError);

const { value } = fc.letrec<{ value: unknown; object: unknown; error: Error }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.string({ unit: anyCharacter }),
    fc.double(),
    fc.boolean(),
    fc.constantFrom(null, undefined, -0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY),
    fc.bigInt(),
    fc.string().map((name) => Symbol.for(name)),
    fc.date({ noInvalidDate: false }),
    fc.webUrl({ withFragments: true, withQueryParameters: true }).map((url) => new URL(url)),
    fc.constantFrom(/a/, /^[/\]]$/dgimsuy, /(?:)/, new RegExp("[a--b]", setsFlag), /\n/, /\n\//),
    bytes,
    fc.array(tie("value"), { maxLength: 4 }),
    tie("object"),
    fc.array(fc.tuple(tie("value"), tie("value")), { maxLength: 3 }).map((entries) => new Map(entries)),
    fc.array(tie("value"), { maxLength: 3 }).map((elements) => new Set(elements)),
    tie("error"),
  ),
  object: fc
    .array(fc.tuple(recordableKey, tie("value")), { maxLength: 5 })
    .map((entries) => Object.fromEntries(entries)),
  error: fc
    .tuple(errorClass, fc.string(), fc.option(tie("value")), fc.option(fc.constantFrom("ENOENT", "MyError")))
    .map(([Class, message, cause, name]) => {
      const error = cause === null ? new Class(message) : new Class(message, { cause });
      return name === null ? error : Object.assign(error, { name, code: name });
    }),
}));

export const recordable = value;
