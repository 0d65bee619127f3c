/** What a module of types hands to `provider()`: as much of a provider's schema as its resources need, so that a run need not ask for it. */
import type { Secret } from "../../secrets/secret.js";
import type { Capabilities, ProviderFunction, Schema } from "../schema/index.js";
import type { ModuleOf, Offered } from "./module.js";
import { memberName } from "./type-text.js";

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
function schemaText(schema: Schema | ProviderFunction): SchemaText {
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

/** A line for each type, so that version control merges them one by one. */
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

/** In single quotes: JSON is full of the others. */
function literal(text: string): string {
  return `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029")}'`;
}
