/** Generates the module of types that `engine add` writes for a provider. Pure. */
import { memoized } from "../cty/index.js";
import {
  type Block,
  type FunctionParameter,
  type Names,
  namesOfTypes,
  type ProviderFunction,
  type ProviderSchema,
} from "../schema/index.js";
import { definitionText } from "./definition.js";
import { docComment, ENDS, Interfaces, type Side } from "./interfaces.js";
import { GIVEN_TEXT, memberName, pascalCase, typeText } from "./type-text.js";

export interface ModuleOf extends Selection {
  /** Source as in the lock file. */
  readonly source: string;
  /** Type of the provider, e.g. `postgresql`. */
  readonly type: string;
  readonly range: string;
  readonly version: string;
  readonly schema: ProviderSchema;
}

/** Returns the TypeScript of the names in {@link Selection}. Equal inputs give equal text. */
export function generateModule(of: ModuleOf): string {
  const { type, schema } = of;
  const offered = offeredBy(type, schema);
  const interfaces = new Interfaces();
  const name = functionName(type);
  const object = interfaces.name(objectName(type));
  const { description } = schema.provider.block;
  const configName = interfaces.name(`${object}Config`);
  // Reserved before nested names, so that no other selection changes them.
  const calls = callsOf(of, offered, interfaces);
  const config = interfaces.addInterface(configName, schema.provider.block, "props", object, description);
  const members = objectMembers(of, calls, offered, interfaces);
  const given = `config${config.isOptional ? "?" : ""}: Input<${config.name}>, options?: ProviderOptions<${config.name}>`;
  const all = [...interfaces.texts, members, given].join("");
  return [
    moduleHeader(of),
    `import type { ${usedIn(all, ["Input", "PendingResource", "ResourceOptions", "Secret"])} } from "scope-engine";\n`,
    `import { ${usedIn(all, ["type ProviderOptions", "type ProviderResourceOptions"])}, provider } from "scope-engine/terraform";\n\n`,
    ...interfaces.texts.map((text) => `${text}\n`),
    `/** The types of ${of.source} in this module. Add more with \`engine add\`. */\nexport interface ${object} {\n${members}}\n\n`,
    `const define = provider<${config.name}, ${object}>(${definitionText(of, offered)});\n\n`,
    docComment({
      description: `Configures the provider ${of.source}. The types are those of version ${of.version}.`,
    }),
    `export function ${name}(${given}): ${object} {\n  return define(config, options);\n}\n`,
  ].join("");
}

/** Returns the names that the code uses, not those in descriptions. */
function usedIn(text: string, names: readonly string[]): string {
  const code = text.replaceAll(/\/\*\*[\s\S]*?\*\//g, "").replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"/g, "");
  return names.filter((name) => new RegExp(`\\b${name.replace("type ", "")}\\b`).test(code)).join(", ");
}

/** Names that no function can have, or that the module already uses. */
const WORDS =
  /^(?:await|break|case|catch|class|const|continue|debugger|default|define|delete|do|else|enum|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|package|private|protected|provider|public|return|static|super|switch|this|throw|true|try|typeof|var|void|while|with|yield)$/;

/** Returns the exported name: `googleBeta` for `google-beta`, `null_` for `null`. */
export function functionName(type: string): string {
  const pascal = pascalCase(type);
  const camel = pascal.charAt(0).toLowerCase() + pascal.slice(1);
  return WORDS.test(camel) ? `${camel}_` : camel;
}

/** Returns the name of the interface that the function returns, without the underscore of `null_`. */
export function objectName(type: string): string {
  return pascalCase(type);
}

type Kind = "resources" | "dataSources" | "ephemeral";

const CALLS = {
  resources: { suffix: "", options: ", options?: ProviderResourceOptions", result: "PendingResource" },
  dataSources: { suffix: "Data", options: ", options?: ResourceOptions", result: "PendingResource" },
  // An ephemeral value is never recorded.
  ephemeral: { suffix: "Ephemeral", options: "", result: "Promise" },
} as const;

interface Call {
  readonly kind: Kind;
  readonly name: string;
  readonly block: Block;
  /** Beginning of the names of nested interfaces. */
  readonly wanted: string;
  readonly interfaces: Readonly<Record<Side, string>>;
}

function callsOf(of: ModuleOf, offered: Offered, interfaces: Interfaces): readonly Call[] {
  const kinds: readonly Kind[] = ["resources", "dataSources", "ephemeral"];
  return kinds.flatMap((kind) =>
    of[kind].flatMap((name) => {
      const found = of.schema[kind][offered[kind].get(name) ?? ""];
      if (!found) return [];
      const wanted = `${pascalCase(name)}${CALLS[kind].suffix}`;
      const [props, output] = [interfaces.name(wanted + ENDS.props), interfaces.name(wanted + ENDS.output)];
      return { kind, name, block: found.block, wanted, interfaces: { props, output } };
    }),
  );
}

function objectMembers(of: ModuleOf, calls: readonly Call[], offered: Offered, interfaces: Interfaces): string {
  const call = (wanted: Kind, indent: string): string =>
    calls.map((one) => (one.kind === wanted ? callText(interfaces, one, indent) : "")).join("");
  const group = (kind: keyof typeof GROUPS, text: string): string =>
    text === "" ? "" : `  readonly ${GROUPS[kind]}: {\n${text}  };\n`;
  const functions = of.functions
    .map((name) => functionText(name, of.schema.functions[offered.functions.get(name) ?? ""]))
    .join("");
  return [
    call("resources", "  "),
    group("dataSources", call("dataSources", "    ")),
    group("ephemeral", call("ephemeral", "    ")),
    group("functions", functions),
  ].join("");
}

function callText(
  interfaces: Interfaces,
  { kind, name, block, wanted, interfaces: names }: Call,
  indent: string,
): string {
  interfaces.beginResource();
  const props = interfaces.addInterface(names.props, block, "props", wanted);
  const output = interfaces.addInterface(names.output, block, "output", wanted);
  const { options, result } = CALLS[kind];
  const given = `id: string, props${props.isOptional ? "?" : ""}: Input<${props.name}>${options}`;
  return `${docComment(block, indent)}${indent}${memberName(name)}(${given}): ${result}<${output.name}>;\n`;
}

function functionText(name: string, of: ProviderFunction | undefined): string {
  if (of === undefined) return "";
  const { parameters, variadic, returns, summary, description, deprecated } = of;
  const used = new Set<string>();
  const given = [
    ...parameters.map((one) => `${parameterName(one, used)}: ${argumentText(one)}`),
    ...(variadic ? [`...${parameterName(variadic, used)}: readonly ${argumentText(variadic)}[]`] : []),
  ].join(", ");
  const said = description ?? summary;
  return `${docComment({ description: said, deprecated }, "    ")}    ${memberName(name)}(${given}): Promise<${typeText(returns)}>;\n`;
}

function argumentText({ type, allowsNull }: FunctionParameter): string {
  return `Input<${typeText(type, GIVEN_TEXT)}${allowsNull ? " | null" : ""}>`;
}

function parameterName({ name }: FunctionParameter, used: Set<string>): string {
  let wanted = functionName(name === "" ? "value" : name.replaceAll("_", "-"));
  while (used.has(wanted)) wanted += "_";
  used.add(wanted);
  return wanted;
}

/** The selected parts of a provider, by their names in programs, sorted. */
export interface Selection {
  readonly resources: readonly string[];
  readonly dataSources: readonly string[];
  readonly ephemeral: readonly string[];
  readonly functions: readonly string[];
}

/** Builds a selection from the names of each kind. */
export function selectionOf(names: (kind: keyof Selection) => readonly string[]): Selection {
  return {
    resources: names("resources"),
    dataSources: names("dataSources"),
    ephemeral: names("ephemeral"),
    functions: names("functions"),
  };
}

export const NOTHING: Selection = selectionOf(() => []);

export interface WrittenModule extends Selection {
  readonly source: string;
  readonly version: string;
}

const MARK = "// engine add: ";

function moduleHeader(module: WrittenModule): string {
  const { source, version, resources, dataSources, ephemeral, functions } = module;
  const data = JSON.stringify({ source, version, resources, dataSources, ephemeral, functions });
  return `// Written by "engine add". The next "engine add" overwrites changes made by hand.\n${MARK}${data}\n`;
}

/** Reads the header of a module; undefined for any other text. */
export function writtenModule(text: string): WrittenModule | undefined {
  const line = text.split("\n", 5).find((one) => one.startsWith(MARK));
  if (line === undefined) return undefined;
  try {
    const data = Object(JSON.parse(line.slice(MARK.length)));
    const { source, version } = data;
    if (typeof source !== "string" || typeof version !== "string") return undefined;
    return { source, version, ...selectionOf((kind) => texts(data[kind])) };
  } catch {
    return undefined; // Changed by hand, so it is written again.
  }
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** Joins two selections. */
export function joined(one: Selection, other: Selection): Selection {
  return selectionOf((kind) => [...new Set([...one[kind], ...other[kind]])].sort());
}

/** The members of a provider's object that are not resources. */
export const GROUPS = { dataSources: "data", ephemeral: "ephemeral", functions: "functions" } as const;

export type Offered = Readonly<Record<keyof Selection, ReadonlyMap<string, string>>>;

/** Returns the provider's names by the names in programs. */
export function offeredBy(type: string, schema: ProviderSchema): Offered {
  const known = offers(schema);
  const offered = known.get(type) ?? namedIn(type, schema);
  known.set(type, offered);
  return offered;
}

/** By name of the provider. Finding the names visits all types, and each resource needs them. */
const offers = memoized((_schema: ProviderSchema) => new Map<string, Offered>());

function namedIn(type: string, schema: ProviderSchema): Offered {
  const names = (kind: "resources" | "dataSources" | "ephemeral"): ReadonlyMap<string, string> => {
    const types = Object.keys(schema[kind]);
    return apart(namesOfTypes(prefixOf(type, types), types), kind === "resources");
  };
  const functions = Object.keys(schema.functions);
  return {
    resources: names("resources"),
    dataSources: names("dataSources"),
    ephemeral: names("ephemeral"),
    functions: namesOfTypes("", functions).toProvider,
  };
}

/** Appends an underscore to the name of a type that equals the name of a group. */
function apart({ toProvider }: Names, isBesideGroups: boolean): ReadonlyMap<string, string> {
  if (!isBesideGroups) return toProvider;
  const groups: readonly string[] = Object.values(GROUPS);
  return new Map([...toProvider].map(([name, own]) => [groups.includes(name) ? `${name}_` : name, own]));
}

/**
 * Returns a function that removes the common prefix of a provider's names: `grant_role` for `postgresql_grant_role`.
 */
export function shortName(type: string, names: ReadonlyMap<string, string>): (own: string) => string {
  const prefix = `${prefixOf(type, [...names.values()])}_`;
  return (own) => (own.startsWith(prefix) ? own.slice(prefix.length) : own);
}

/**
 * Returns the prefix of names of types: mostly the provider's name, else the common word, such as `google` for
 * `google-beta`.
 */
function prefixOf(type: string, types: readonly string[]): string {
  const own = type.replaceAll("-", "_");
  if (types.some((one) => one === own || one.startsWith(`${own}_`))) return own;
  const [first = ""] = (types[0] ?? "").split("_");
  return types.every((one) => one === first || one.startsWith(`${first}_`)) ? first : own;
}
