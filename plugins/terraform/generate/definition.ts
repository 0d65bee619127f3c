/**
 * Definition that a module of types passes to `provider()`: the needed schemas, so that a run need not request them.
 */
import type { Secret } from "../../secrets/secret.js";
import type { Capabilities, ProviderFunction, Schema } from "../schema/index.js";
import type { ModuleOf, Offered } from "./module.js";
import { memberName } from "./type-text.js";

/**
 * A schema as JSON, without descriptions. A text costs the compiler nothing, and is parsed only if its resource is
 * used.
 */
export type SchemaText = string;

/** A resource type, a data source or an ephemeral resource. */
export interface DefinedType {
  /** The provider's name, e.g. `postgresql_role`. */
  readonly type: string;
  readonly schema: SchemaText;
}

/** A function of a provider. */
export interface DefinedFunction {
  /** The provider's name. */
  readonly name: string;
  /** A {@link ProviderFunction} as JSON, without descriptions. */
  readonly signature: string;
}

/** Types or functions by their names in programs, e.g. `role`. */
export type Defined<T> = Readonly<Record<string, T>>;

/** The part of a provider that a program uses. */
export interface ProviderDefinition {
  /** Source as in the lock file. */
  readonly source: string;
  /** Versions of the provider that the types fit. */
  readonly range: string;
  /** Version of the provider that the types were made from. */
  readonly version: string;
  readonly capabilities: Capabilities;
  /** Schema of the provider's own configuration. */
  readonly config: SchemaText;
  readonly resources: Defined<DefinedType>;
  readonly dataSources: Defined<DefinedType>;
  readonly ephemeral: Defined<DefinedType>;
  readonly functions: Defined<DefinedFunction>;
}

/** Options of one configuration of a provider, whose attributes are the members of `Config`. */
export interface ProviderOptions<Config = Readonly<Record<string, unknown>>> {
  /** Id of the configuration in its scope, if there are several. Default: the provider's type. */
  readonly id?: string;
  /** Added to the environment of the provider's process. Secrets are passed on as they are. */
  readonly env?: Readonly<Record<string, string | Secret>>;
  /**
   * Attributes of the configuration whose values are harmless, e.g. `["region"]`. The engine records, plans and logs
   * these as they are. It seals all other values, and masks them in every text. Default: none.
   */
  readonly show?: readonly (keyof Config & string)[];
}

/** Returns a schema as JSON, without texts for people. */
function schemaText(schema: Schema | ProviderFunction): SchemaText {
  return JSON.stringify(schema, (name, value) => {
    const isForPeople = name === "description" || name === "summary" || name === "deprecated";
    // An attribute may have such a name, too, but it is an object.
    return isForPeople && typeof value !== "object" ? undefined : value;
  });
}

/** Parses a schema from {@link schemaText}. */
export function schemaIn({ schema }: DefinedType): Schema {
  return JSON.parse(schema);
}

/** Returns the definition as code, with a line for each type, so that version control can merge types. */
export function definitionText(of: ModuleOf, offered: Offered): string {
  const { source, range, version, schema } = of;
  const types = (kind: "resources" | "dataSources" | "ephemeral"): string =>
    group(of[kind], (name) => {
      const type = offered[kind].get(name) ?? "";
      const found = schema[kind][type];
      return found && `{ type: ${JSON.stringify(type)}, schema: ${literal(schemaText(found))} }`;
    });
  const functions = group(of.functions, (name) => {
    const own = offered.functions.get(name) ?? "";
    const found = schema.functions[own];
    return found && `{ name: ${JSON.stringify(own)}, signature: ${literal(schemaText(found))} }`;
  });
  const { planDestroy, schemaOptional, moveResourceState } = schema.capabilities;
  return [
    "{",
    `  source: ${JSON.stringify(source)},`,
    `  range: ${JSON.stringify(range)},`,
    `  version: ${JSON.stringify(version)},`,
    `  capabilities: { planDestroy: ${planDestroy}, schemaOptional: ${schemaOptional}, moveResourceState: ${moveResourceState} },`,
    `  config: ${literal(schemaText(schema.provider))},`,
    `  resources: ${types("resources")},`,
    `  dataSources: ${types("dataSources")},`,
    `  ephemeral: ${types("ephemeral")},`,
    `  functions: ${functions},`,
    "}",
  ].join("\n");
}

function group(names: readonly string[], text: (name: string) => string | undefined): string {
  const lines = names.flatMap((name) => {
    const one = text(name);
    return one === undefined ? [] : `    ${memberName(name)}: ${one},\n`;
  });
  return lines.length === 0 ? "{}" : `{\n${lines.join("")}  }`;
}

/** Returns a literal in single quotes, because JSON is full of double quotes. */
function literal(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")}'`;
}
