/** Random schemas of providers, and values that conform to them. */
import {
  type CtyType,
  type CtyValue,
  conform,
  Dynamic,
  isEqual,
  isNull,
  setOf,
} from "../../../plugins/terraform/cty/index.js";
import {
  type Attribute,
  type Block,
  emptyBlocks,
  impliedType,
  type NestedAttributes,
  type NestedBlock,
  typeOfAttribute,
  typeOfNested,
} from "../../../plugins/terraform/schema/index.js";
import { closeBlocks, openBlocks } from "../../../plugins/terraform/schema/level.js";
import { fc } from "../../helpers/checks/generated.js";

export interface SchemaLimits {
  /** Maximum depth of blocks and nested attributes. */
  readonly depth?: number;
  /** False: nothing within a set is computed, so that its elements can be found by their configuration. */
  readonly computedInSets?: boolean;
  /** False: no attribute is dynamic. */
  readonly dynamic?: boolean;
}

interface Bounds {
  readonly depth: number;
  readonly computed: boolean;
  readonly computedInSets: boolean;
  /** Elements of a set, and of collections of nested attributes, have one static type. */
  readonly dynamic: boolean;
}

const names = [
  "a",
  "a_b",
  "aB",
  "ab",
  "a__b",
  "x_1",
  "x1",
  "count",
  "then",
  "__x",
  "for_each",
  "constructor",
  "ipv4_cidr_block",
];

const primitiveType: fc.Arbitrary<CtyType> = fc.constantFrom("string", "number", "bool");

export const ctyType: fc.Arbitrary<CtyType> = fc.oneof(
  { weight: 4, arbitrary: primitiveType },
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom("list", "set", "map"), primitiveType) },
  { weight: 1, arbitrary: fc.tuple(fc.constantFrom("list", "set", "map"), objectType()) },
  { weight: 1, arbitrary: objectType() },
  { weight: 1, arbitrary: fc.tuple(fc.constant("tuple"), fc.array(primitiveType, { maxLength: 3 })) },
) as fc.Arbitrary<CtyType>;

function objectType(): fc.Arbitrary<CtyType> {
  return members(primitiveType, 1, 3).map((types): CtyType => ["object", types]);
}

function members<T>(of: fc.Arbitrary<T>, minLength: number, maxLength: number): fc.Arbitrary<Record<string, T>> {
  return fc
    .uniqueArray(fc.tuple(fc.constantFrom(...names), of), { selector: ([name]) => name, minLength, maxLength })
    .map(Object.fromEntries);
}

/** A block with attributes of every kind, and blocks of every nesting. */
export function blocks({ depth = 3, computedInSets = true, dynamic = true }: SchemaLimits = {}): fc.Arbitrary<Block> {
  return block({ depth, computedInSets, computed: true, dynamic });
}

/** Caches arbitraries by their bounds: creating them takes longer than drawing from them. */
function made<T>(of: (bounds: Bounds) => fc.Arbitrary<T>): (bounds: Bounds) => fc.Arbitrary<T> {
  const cached = new Map<string, fc.Arbitrary<T>>();
  return (bounds) => {
    const name = JSON.stringify(bounds);
    const arbitrary = cached.get(name) ?? of(bounds);
    cached.set(name, arbitrary);
    return arbitrary;
  };
}

const block = made((bounds): fc.Arbitrary<Block> => {
  const count = bounds.depth > 0 ? 2 : 0;
  return fc
    .tuple(members(attribute(bounds), 1, 4), members(nestedBlock(bounds), 0, count))
    .map(([attributes, inner]) => ({
      attributes,
      blocks: Object.fromEntries(Object.entries(inner).filter(([name]) => !Object.hasOwn(attributes, name))),
    }));
});

function inSet(bounds: Bounds): Bounds {
  return { ...bounds, computed: bounds.computed && bounds.computedInSets, dynamic: false };
}

const nestedBlock = made((bounds): fc.Arbitrary<NestedBlock> => {
  const below = { ...bounds, depth: bounds.depth - 1 };
  if (bounds.depth === 0)
    return fc.constant({ nesting: "list", block: { attributes: {}, blocks: {} }, minItems: 0, maxItems: 0 });
  return fc
    .constantFrom("single" as const, "group" as const, "list" as const, "set" as const, "map" as const)
    .chain((nesting) =>
      block(nesting === "set" ? inSet(below) : below).map((inner) => ({
        nesting,
        block: inner,
        minItems: 0,
        maxItems: 0,
      })),
    );
});

const attribute = made((bounds): fc.Arbitrary<Attribute> => {
  const kinds: Partial<Attribute>[] = [{ required: true }, { optional: true }];
  if (bounds.computed) kinds.push({ computed: true }, { optional: true, computed: true });
  const type = bounds.dynamic
    ? fc.oneof({ weight: 9, arbitrary: ctyType }, { weight: 1, arbitrary: fc.constant("dynamic" as const) })
    : ctyType;
  const plain = fc.record({ kind: fc.constantFrom(...kinds), type, sensitive: fc.boolean() });
  const one = plain.map(({ kind, ...rest }): Attribute => ({ ...rest, ...kind }));
  if (bounds.depth === 0) return one;
  const nested = nestedAttributes({ ...bounds, depth: bounds.depth - 1 });
  const whole = fc
    .record({ kind: fc.constantFrom(...kinds), nested })
    .map(({ kind, nested: of }): Attribute => ({ ...kind, nested: of, type: typeOfNested(of) }));
  return fc.oneof({ weight: 3, arbitrary: one }, { weight: 1, arbitrary: whole });
});

const nestedAttributes = made((bounds): fc.Arbitrary<NestedAttributes> => {
  return fc.constantFrom("single" as const, "list" as const, "set" as const, "map" as const).chain((nesting) => {
    const inner = nesting === "single" ? bounds : nesting === "set" ? inSet(bounds) : { ...bounds, dynamic: false };
    return members(attribute(inner), 1, 3).map((attributes) => ({ nesting, attributes }));
  });
});

const key = fc.constantFrom("k", "a b", "toString", "a_b");

/** Any value of a type, except null. */
export function anyOf(type: CtyType): fc.Arbitrary<CtyValue> {
  if (type === "string") return fc.oneof(fc.string({ maxLength: 4 }), fc.constantFrom("1", "true", "1.0"));
  if (type === "number")
    return fc.oneof(
      fc.integer(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.bigInt({ min: 2n ** 80n, max: 2n ** 81n }),
      fc.constant("0.12345678901234567890123"),
    );
  if (type === "bool") return fc.boolean();
  if (type === "dynamic")
    return fc
      .oneof(fc.string({ maxLength: 3 }), fc.integer(), fc.constant(["a", { a_b: 1 }, null]))
      .map((value) => conform(type, value as CtyValue).value);
  if (type[0] === "object")
    return fc.record(Object.fromEntries(Object.entries(type[1]).map(([name, of]) => [name, orNull(anyOf(of))])));
  if (type[0] === "tuple") return fc.tuple(...type[1].map((of) => orNull(anyOf(of))));
  if (type[0] === "map") return fc.dictionary(key, anyOf(type[1]), { maxKeys: 3, noNullPrototype: true });
  const of = type[1];
  const elements = fc.array(anyOf(of), { maxLength: 3 });
  return type[0] === "list" ? elements : elements.map((all) => withoutRepeated(of, all));
}

function orNull(value: fc.Arbitrary<CtyValue>): fc.Arbitrary<CtyValue> {
  return fc.option(value, { nil: null, freq: 4 });
}

function withoutRepeated(of: CtyType, all: readonly CtyValue[]): readonly CtyValue[] {
  return all.filter((value, index) => all.findIndex((other) => isEqual(of, value, other)) === index);
}

/** A configuration of a program: attributes that only the provider sets are null. */
export function configs({
  attributes,
  blocks: inner = {},
}: Pick<Block, "attributes"> & Partial<Block>): fc.Arbitrary<CtyValue> {
  return fc.record({
    ...Object.fromEntries(Object.entries(attributes).map(([name, of]) => [name, configured(of)])),
    ...Object.fromEntries(Object.entries(inner).map(([name, of]) => [name, configuredBlocks(of)])),
  });
}

function configured(of: Attribute): fc.Arbitrary<CtyValue> {
  if (of.computed && !of.optional) return fc.constant(null);
  const value = of.nested
    ? several(of.nested.nesting, configs(of.nested), impliedType(of.nested))
    : anyOf(typeOfAttribute(of));
  return of.required ? value : orNull(value);
}

function configuredBlocks(of: NestedBlock): fc.Arbitrary<CtyValue> {
  const value = several(of.nesting, configs(of.block), impliedType(of.block)).map((all) => closeBlocks(of, all));
  return of.nesting === "single" ? orNull(value) : value;
}

function several(nesting: NestedBlock["nesting"], one: fc.Arbitrary<CtyValue>, type: CtyType): fc.Arbitrary<CtyValue> {
  if (nesting === "map") return fc.dictionary(key, one, { maxKeys: 2, noNullPrototype: true });
  if (nesting === "list") return fc.array(one, { maxLength: 2 });
  return nesting === "set" ? fc.array(one, { maxLength: 2 }).map((all) => withoutRepeated(type, all)) : one;
}

/** A configuration with the values that a provider would add. Optional members of nested attributes are not made up. */
export function filled(level: Pick<Block, "attributes"> & Partial<Block>, value: CtyValue): CtyValue {
  if (value === null || typeof value !== "object") return value;
  const given = value as Readonly<Record<string, CtyValue>>;
  return {
    ...Object.fromEntries(
      Object.entries(level.attributes).map(([name, of]) => [name, filledAttribute(of, given[name] ?? null)]),
    ),
    ...Object.fromEntries(
      Object.entries(level.blocks ?? {}).map(([name, of]) => {
        const all = openBlocks(of, given[name] ?? emptyBlocks(of));
        return [name, closeBlocks(of, filledSeveral(of.nesting, of.block, all))];
      }),
    ),
  };
}

function filledAttribute(of: Attribute, value: CtyValue): CtyValue {
  if (isNull(value)) return of.computed && !(of.nested && of.optional) ? madeUp(typeOfAttribute(of)) : null;
  return of.nested ? filledSeveral(of.nested.nesting, of.nested, value) : value;
}

function filledSeveral(
  nesting: NestedBlock["nesting"],
  level: Pick<Block, "attributes"> & Partial<Block>,
  value: CtyValue,
): CtyValue {
  if (Array.isArray(value)) {
    const all = value.map((one: CtyValue) => filled(level, one));
    return nesting === "set" ? setOf(impliedType(level), all) : all;
  }
  if (nesting !== "map" || value === null) return filled(level, value);
  return Object.fromEntries(Object.entries(value).map(([at, one]) => [at, filled(level, one as CtyValue)]));
}

function madeUp(type: CtyType): CtyValue {
  if (type === "string") return "computed";
  if (type === "number") return 42;
  if (type === "bool") return true;
  // A type that an array does not imply.
  if (type === "dynamic") return new Dynamic(["list", "number"], [1, 2]);
  if (type[0] === "object") return Object.fromEntries(Object.entries(type[1]).map(([name, of]) => [name, madeUp(of)]));
  if (type[0] === "tuple") return type[1].map(madeUp);
  return type[0] === "map" ? { computed: madeUp(type[1]) } : [madeUp(type[1])];
}
