/** Reads schemas from the messages of both protocols. */
import { type CtyType, type CtyValue, decode, decodeJson, encode, parseType } from "../../cty/index.js";
import type {
  Attribute,
  Block,
  FunctionParameter,
  NestedAttributes,
  NestedBlock,
  ProviderFunction,
  ProviderSchema,
  Schema,
} from "../../schema/index.js";
import { integer, type MessageCodec, type Received, type Sent } from "../messages/index.js";
import type { DeferredReason, Diagnostic, PathStep, RawState, Typed } from "../provider-client.js";

/** Nestings by their numbers. */
const NESTING = [undefined, "single", "list", "set", "map"] as const;

const BLOCK_NESTING = [...NESTING, "group"] as const;

const EMPTY: Block = { attributes: {}, blocks: {} };

/**
 * Returns the schema of a provider. Each type is decoded when first used, because the largest providers have thousands.
 *
 * @throws EngineError `PROVIDER_FAILED` at the first use of an invalid type
 */
export function providerSchema(answer: Received<"SchemaResponse">, codec: MessageCodec): ProviderSchema {
  const { serverCapabilities: capabilities } = answer;
  const read = (bytes: Uint8Array): Schema => schemaOf(codec.decode("Schema", bytes));
  return {
    provider: answer.provider ? schemaOf(answer.provider) : { version: 0, block: EMPTY },
    resources: lazily(answer.resourceSchemas, read),
    dataSources: lazily(answer.dataSourceSchemas, read),
    ephemeral: lazily(answer.ephemeralResourceSchemas, read),
    functions: lazily(answer.functions, functionOf),
    capabilities: {
      planDestroy: capabilities?.planDestroy ?? false,
      // A provider with meta values has to be asked anyway, because it expects one in each request, even if null.
      schemaOptional: (capabilities?.getProviderSchemaOptional ?? false) && answer.providerMeta === null,
      moveResourceState: capabilities?.moveResourceState ?? false,
    },
  };
}

function schemaOf({ version, block }: Received<"Schema">): Schema {
  return { version: integer(version), block: block ? blockOf(block) : EMPTY };
}

/** Returns a record whose members are computed at the first read, and cached. */
function lazily<From, To>(record: Readonly<Record<string, From>>, to: (one: From) => To): Readonly<Record<string, To>> {
  const made: Record<string, To> = {};
  for (const [name, one] of Object.entries(record)) {
    const get = (): To => {
      const value = to(one);
      Object.defineProperty(made, name, { value, enumerable: true });
      return value;
    };
    Object.defineProperty(made, name, { get, enumerable: true, configurable: true });
  }
  return made;
}

function blockOf(block: Received<"Block">): Block {
  return {
    attributes: Object.fromEntries(block.attributes.map((one) => [one.name, attributeOf(one)])),
    blocks: Object.fromEntries(block.blockTypes.map((one) => [one.typeName, nestedBlockOf(one)])),
    ...said(block),
  };
}

function attributeOf(attribute: Received<"Attribute">): Attribute {
  const { nestedType, type, required, optional, computed, sensitive, writeOnly } = attribute;
  const nested = nestedType ? nestedOf(nestedType) : undefined;
  const flags = { required, optional, computed, sensitive, writeOnly };
  return {
    type: nested ? typeOfNested(nested) : parseType(type),
    ...(nested && { nested }),
    ...said(attribute),
    ...Object.fromEntries(Object.entries(flags).filter(([, is]) => is)),
  };
}

function nestedOf({ attributes, nesting }: Received<"NestedType">): NestedAttributes {
  return {
    nesting: NESTING[nesting] ?? "single",
    attributes: Object.fromEntries(attributes.map((one) => [one.name, attributeOf(one)])),
  };
}

function typeOfNested({ nesting, attributes }: NestedAttributes): CtyType {
  const object: CtyType = ["object", mapped(attributes, ({ type }) => type)];
  return nesting === "single" ? object : [nesting, object];
}

function nestedBlockOf({ block, nesting, minItems, maxItems }: Received<"NestedBlock">): NestedBlock {
  return {
    nesting: BLOCK_NESTING[nesting] ?? "single",
    block: block ? blockOf(block) : EMPTY,
    minItems: integer(minItems),
    maxItems: integer(maxItems),
  };
}

function functionOf(one: Received<"Function">): ProviderFunction {
  const { parameters, variadicParameter, summary, description, deprecationMessage } = one;
  return {
    parameters: parameters.map(parameterOf),
    ...(variadicParameter && { variadic: parameterOf(variadicParameter) }),
    returns: parseType(one.return?.type ?? new Uint8Array()),
    ...(summary && { summary }),
    ...(description && { description }),
    ...(deprecationMessage && { deprecated: deprecationMessage }),
  };
}

function parameterOf(one: Received<"Parameter">): FunctionParameter {
  const { name, type, allowNullValue, allowUnknownValues, description } = one;
  return {
    name,
    type: parseType(type),
    allowsNull: allowNullValue,
    allowsUnknown: allowUnknownValues,
    ...(description && { description }),
  };
}

function said({ description, deprecated }: { readonly description: string; readonly deprecated: boolean }): {
  readonly description?: string;
  readonly deprecated?: boolean;
} {
  return { ...(description && { description }), ...(deprecated && { deprecated }) };
}

function mapped<From, To>(record: Readonly<Record<string, From>>, to: (one: From) => To): Readonly<Record<string, To>> {
  return Object.fromEntries(Object.entries(record).map(([name, one]) => [name, to(one)]));
}

const DEFERRED: readonly DeferredReason[] = [
  "unknown",
  "resource-config-unknown",
  "provider-config-unknown",
  "absent-prerequisite",
];

/** Supported features of the protocols. Deferring is not supported. */
export const CAPABILITIES: Sent<"ClientCapabilities"> = { deferralAllowed: false, writeOnlyAttributesAllowed: true };

/** Converts a value to its message. */
export function dynamicValue({ type, value }: Typed): Sent<"DynamicValue"> {
  return { msgpack: encode(type, value) };
}

/** Decodes a value; null if absent. @throws EngineError `PROVIDER_FAILED` if it is not a value of the type */
export function valueIn(type: CtyType, value: Received<"DynamicValue"> | null): CtyValue {
  if (value && value.msgpack.length > 0) return decode(type, value.msgpack);
  if (value && value.json.length > 0) return decodeJson(type, value.json);
  return null;
}

export function diagnosticsIn(diagnostics: readonly Received<"Diagnostic">[]): readonly Diagnostic[] {
  return diagnostics.map(({ severity, summary, detail, attribute }) => ({
    // An invalid severity is a bug in the provider. It is treated as an error, so that it is seen.
    severity: severity === 2 ? "warning" : "error",
    summary,
    detail,
    path: attribute ? pathIn(attribute) : [],
  }));
}

/** Returns a path up to its first unknown step. */
export function pathIn({ steps }: Received<"AttributePath">): readonly PathStep[] {
  const known = steps.map(stepIn);
  const end = known.indexOf(undefined);
  return known.slice(0, end < 0 ? undefined : end).filter((step) => step !== undefined);
}

function stepIn(step: Received<"Step">): PathStep | undefined {
  if (Object.hasOwn(step, "attributeName")) return step.attributeName;
  if (Object.hasOwn(step, "elementKeyString")) return { element: "string", key: step.elementKeyString };
  return Object.hasOwn(step, "elementKeyInt") ? integer(step.elementKeyInt) : undefined;
}

export function deferredIn(deferred: Received<"Deferred"> | null): { readonly deferred?: DeferredReason } {
  return deferred ? { deferred: DEFERRED[deferred.reason] ?? "unknown" } : {};
}

export function renewalIn(at: Received<"Timestamp"> | null): { readonly renewAt?: Date } {
  return at ? { renewAt: new Date(integer(at.seconds) * 1_000 + at.nanos / 1e6) } : {};
}

/** Copies bytes, because a view would keep the whole answer in memory. */
export function bytesIn(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}

export function rawState({ json, flatmap }: RawState): Sent<"RawState"> {
  return json ? { json } : { flatmap: flatmap ?? {} };
}
