/** What a module of types hands to `provider()`: as much of a provider's schema as its resources need, so that a run need not ask for it. */
import type { Secret } from "../../secrets/secret.js";
import type { Capabilities, ProviderFunction, Schema } from "../schema/index.js";

/** A schema as JSON, without descriptions: a text costs the compiler nothing, and is read only where its resource is used. */
export type SchemaText = string;

/** A resource type, a data source or an ephemeral resource. */
export interface DefinedType {
  /** As the provider calls it, e.g. `postgresql_role`. */
  readonly type: string;
  readonly schema: SchemaText;
}

/** A function of a provider. */
export interface DefinedFunction {
  /** As the provider calls it. */
  readonly name: string;
  /** A {@link ProviderFunction} as JSON, without descriptions. */
  readonly signature: string;
}

/** By the names that programs have for them, e.g. `role`. */
export type Defined<T> = Readonly<Record<string, T>>;

/** What a program uses of a provider. */
export interface ProviderDefinition {
  /** As the lock file has it. */
  readonly source: string;
  /** The versions that the types are meant for. */
  readonly range: string;
  /** The version that the types are of. */
  readonly version: string;
  readonly capabilities: Capabilities;
  /** Of the provider's own configuration. */
  readonly config: SchemaText;
  readonly resources: Defined<DefinedType>;
  readonly dataSources: Defined<DefinedType>;
  readonly ephemeral: Defined<DefinedType>;
  readonly functions: Defined<DefinedFunction>;
}

/** Options of one configuration of a provider, whose attributes are the members of `Config`. */
export interface ProviderOptions<Config = Readonly<Record<string, unknown>>> {
  /** What the configuration is called in its scope, where there are several. Default: the provider's type. */
  readonly id?: string;
  /** Added to the environment of the provider's process. Secrets are passed on as they are. */
  readonly env?: Readonly<Record<string, string | Secret>>;
  /**
   * Attributes of the configuration whose values are harmless, e.g. `["region"]`. The engine records, plans and logs these as they are. It seals
   * all other values, and masks them in every text. Default: none.
   */
  readonly show?: readonly (keyof Config & string)[];
}

/** Leaves out what only people read. */
export function schemaText(schema: Schema | ProviderFunction): SchemaText {
  return JSON.stringify(schema, (name, value) => {
    const isForPeople = name === "description" || name === "summary" || name === "deprecated";
    // An attribute may be called so, too: that one is an object.
    return isForPeople && typeof value !== "object" ? undefined : value;
  });
}

/** The text is of a module that {@link schemaText} was called for. */
export function schemaIn({ schema }: DefinedType): Schema {
  return JSON.parse(schema);
}
