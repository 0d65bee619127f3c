/** Random types of providers, and values that fit them. */
import {
  type CtyType,
  type CtyValue,
  Dynamic,
  refinementBytes,
  Unknown,
} from "../../../../plugins/terraform/cty/index.js";
import { anyCharacter, fc } from "../../../helpers/checks/generated.ts";

export interface TypedValue {
  readonly type: CtyType;
  readonly value: CtyValue;
}

const text = fc.string({ unit: anyCharacter, maxLength: 8 }).map((one) => one.normalize("NFC"));
const name = fc.oneof(
  { weight: 9, arbitrary: text },
  { weight: 1, arbitrary: fc.constantFrom("__proto__", "constructor", "toString", "") },
);

const wholeNumber = fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n });
const decimal = fc
  .tuple(wholeNumber, fc.bigInt({ min: 10n ** 20n, max: 10n ** 21n }))
  .map(([whole, digits]) => `${whole}.${digits}1`);
const number: fc.Arbitrary<CtyValue> = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true }).map((one) => one + 0 || 0),
  wholeNumber.map((one) => (BigInt(Number(one)) === one ? Number(one) : one)),
  decimal,
);

const unknown = fc.oneof(
  fc.constant(new Unknown()),
  fc.constant(new Unknown(refinementBytes({ notNull: true }))),
  text.map((prefix) => new Unknown(refinementBytes({ notNull: true, prefix }))),
);

const leaf: fc.Arbitrary<CtyType> = fc.constantFrom("string", "number", "bool", "dynamic");

export const type: fc.Arbitrary<CtyType> = fc.letrec<{ type: CtyType }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc.tuple(fc.constantFrom("list" as const, "set" as const, "map" as const), tie("type")),
    fc.tuple(fc.constant("tuple" as const), fc.array(tie("type"), { maxLength: 3 })),
    fc.array(fc.tuple(name, tie("type"), fc.boolean()), { maxLength: 4 }).map((attributes): CtyType => {
      const types = Object.fromEntries(attributes.map(([key, one]) => [key, one]));
      const optional = [...new Set(attributes.filter(([, , is]) => is).map(([key]) => key))];
      return optional.length > 0 ? ["object", types, optional] : ["object", types];
    }),
  ),
})).type;

export const typedValue: fc.Arbitrary<TypedValue> = type.chain((one) =>
  valueFor(one).map((value) => ({ type: one, value })),
);

function valueFor(one: CtyType, depth = 0): fc.Arbitrary<CtyValue> {
  return fc.oneof(
    { weight: 8, arbitrary: knownOf(one, depth) },
    { weight: 1, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: unknown },
  );
}

function knownOf(one: CtyType, depth: number): fc.Arbitrary<CtyValue> {
  if (one === "string") return text;
  if (one === "number") return number;
  if (one === "bool") return fc.boolean();
  if (one === "dynamic") return dynamic(depth);
  switch (one[0]) {
    case "list":
    case "set":
      return fc.array(valueFor(one[1], depth + 1), { maxLength: 4 });
    case "map":
      return fc
        .array(fc.tuple(name, valueFor(one[1], depth + 1)), { maxLength: 4 })
        .map((entries) => Object.fromEntries(entries));
    case "tuple":
      return fc.tuple(...one[1].map((element) => valueFor(element, depth + 1)));
    case "object":
      return fc
        .tuple(...Object.entries(one[1]).map(([key, own]) => fc.tuple(fc.constant(key), valueFor(own, depth + 1))))
        .map((entries) => Object.fromEntries(entries));
  }
}

function dynamic(depth: number): fc.Arbitrary<CtyValue> {
  const own = depth > 4 ? fc.constant<CtyType>("string") : type.filter((one) => one !== "dynamic");
  return own.chain((one) => valueFor(one, depth + 2).map((value) => new Dynamic(one, value)));
}
