import {
  type CtyType,
  type CtyValue,
  conform,
  Dynamic,
  elementType,
  hasDynamic,
  isList,
  isRecord,
  keyOf,
  memberOf,
  type Path,
  type PathStep,
  recordOf,
  sameType,
} from "../cty/index.js";
import {
  attributesOf,
  blocksOf,
  closeBlocks,
  impliedType,
  type Level,
  mapObjects,
  type Nested,
  nestedIn,
  openBlocks,
  typeOfAttribute,
} from "./level.js";

/** Arguments of Terraform itself. A configuration cannot set an attribute of such a name. */
export const META_ARGUMENTS: ReadonlySet<string> = new Set([
  "connection",
  "count",
  "depends_on",
  "for_each",
  "lifecycle",
  "provider",
  "provisioner",
]);

/** Schema of a resource type, a data source, an ephemeral resource, or the configuration of a provider. */
export interface Schema {
  readonly version: number;
  readonly block: Block;
}

export interface Block {
  readonly attributes: Readonly<Record<string, Attribute>>;
  readonly blocks: Readonly<Record<string, NestedBlock>>;
  readonly description?: string;
  readonly deprecated?: boolean;
}

export interface Attribute {
  /** With nested attributes, the type of the whole, including its nesting. */
  readonly type: CtyType;
  readonly nested?: NestedAttributes;
  readonly description?: string;
  readonly required?: boolean;
  readonly optional?: boolean;
  readonly computed?: boolean;
  readonly sensitive?: boolean;
  readonly writeOnly?: boolean;
  readonly deprecated?: boolean;
}

export interface NestedAttributes {
  readonly nesting: "single" | "list" | "set" | "map";
  readonly attributes: Readonly<Record<string, Attribute>>;
}

export interface NestedBlock {
  readonly nesting: "single" | "group" | "list" | "set" | "map";
  readonly block: Block;
  readonly minItems: number;
  /** 0: any number. */
  readonly maxItems: number;
}

/** A function that a provider offers. */
export interface ProviderFunction {
  readonly parameters: readonly FunctionParameter[];
  readonly variadic?: FunctionParameter;
  readonly returns: CtyType;
  readonly summary?: string;
  readonly description?: string;
  /** Deprecation message. */
  readonly deprecated?: string;
}

/** An argument of a function that a provider offers. */
export interface FunctionParameter {
  readonly name: string;
  readonly type: CtyType;
  readonly allowsNull: boolean;
  readonly allowsUnknown: boolean;
  readonly description?: string;
}

/** Complete schema of a provider. */
export interface ProviderSchema {
  readonly provider: Schema;
  readonly resources: Readonly<Record<string, Schema>>;
  readonly dataSources: Readonly<Record<string, Schema>>;
  readonly ephemeral: Readonly<Record<string, Schema>>;
  readonly functions: Readonly<Record<string, ProviderFunction>>;
  readonly capabilities: Capabilities;
}

/** Optional features of a provider. */
export interface Capabilities {
  /** True if it needs a plan of each delete. */
  readonly planDestroy: boolean;
  /** True if it answers without a request for its schema first. */
  readonly schemaOptional: boolean;
  readonly moveResourceState: boolean;
}

/** Types of dynamic values, by path as JSON of its steps. */
export type OwnTypes = Readonly<Record<string, CtyType>>;

type Turn = (value: Dynamic, path: Path) => CtyValue;

/** Returns the types of dynamic values that would be inferred differently. Mostly there are none. */
export function ownTypes(block: Block, value: CtyValue): OwnTypes {
  const types: Record<string, CtyType> = {};
  turnLevel(block, value, [], (own, path) => {
    const found = conform("dynamic", own.value).value;
    if (found instanceof Dynamic && !sameType(found.type, own.type)) types[pathKey(path)] = own.type;
    return own;
  });
  return types;
}

/**
 * Restores the recorded types of a value with inferred types. Parts that do not fit any more keep the inferred ones.
 */
export function withOwnTypes(block: Block, value: CtyValue, types: OwnTypes): CtyValue {
  if (Object.keys(types).length === 0) return value;
  return turnLevel(block, value, [], (found, path) => {
    const key = pathKey(path);
    const type = Object.hasOwn(types, key) ? types[key] : undefined;
    if (type === undefined) return found;
    const { value: own, problems } = conform(type, found.value);
    return problems.length > 0 ? found : new Dynamic(type, own);
  });
}

function pathKey(path: Path): string {
  return JSON.stringify(path.map(keyOf));
}

function turnLevel(level: Level, value: CtyValue, path: Path, turn: Turn): CtyValue {
  if (!isRecord(value) || !hasDynamic(impliedType(level))) return value;
  const attributes = attributesOf(level).map(([name, attribute]): [string, CtyValue] => {
    const [member, at] = [memberOf(value, name), [...path, name]];
    const nested = nestedIn(attribute);
    return [
      name,
      nested ? turnNested(nested, member, at, turn) : turnValue(typeOfAttribute(attribute), member, at, turn),
    ];
  });
  const blocks = blocksOf(level).map(([name, blocks]): [string, CtyValue] => {
    const nested = { nesting: blocks.nesting, level: blocks.block };
    const opened = openBlocks(blocks, memberOf(value, name));
    return [name, closeBlocks(blocks, turnNested(nested, opened, [...path, name], turn))];
  });
  return recordOf([...attributes, ...blocks]);
}

function turnNested(nested: Nested, value: CtyValue, path: Path, turn: Turn): CtyValue {
  return mapObjects(nested, value, (object, steps) => turnLevel(nested.level, object, [...path, ...steps], turn));
}

function turnValue(type: CtyType, value: CtyValue, path: Path, turn: Turn): CtyValue {
  if (!hasDynamic(type)) return value;
  if (value instanceof Dynamic) return turn(value, path);
  const inner = (of: CtyType, member: CtyValue, step: PathStep): CtyValue =>
    turnValue(of, member, [...path, step], turn);
  if (isList(value))
    return value.map((element, key) => inner(elementType(type, key), element, { element: "number", key }));
  if (!isRecord(value) || typeof type === "string") return value;
  const members = Object.entries(value).map(([key, member]): [string, CtyValue] => {
    const of = type[0] === "object" ? (type[1][key] ?? "dynamic") : elementType(type);
    return [key, inner(of, member, key)];
  });
  return recordOf(members);
}
