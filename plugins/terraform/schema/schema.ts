import type { CtyType } from "../cty/index.js";

/** What a provider says of one of its resource types, data sources, ephemeral resources, or of its own configuration. */
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
  /** Of one with nested attributes: the type of the whole, that of its nesting included. */
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
  /** Why not to use it any more. */
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

/** All of a provider, as it says itself. */
export interface ProviderSchema {
  readonly provider: Schema;
  readonly resources: Readonly<Record<string, Schema>>;
  readonly dataSources: Readonly<Record<string, Schema>>;
  readonly ephemeral: Readonly<Record<string, Schema>>;
  readonly functions: Readonly<Record<string, ProviderFunction>>;
  readonly capabilities: Capabilities;
}

/** What a provider can do besides. */
export interface Capabilities {
  /** It wants to be asked for a plan of each delete. */
  readonly planDestroy: boolean;
  /** It answers without having been asked for its schema. */
  readonly schemaOptional: boolean;
  readonly moveResourceState: boolean;
}
