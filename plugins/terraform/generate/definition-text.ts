/** What a module of types hands to `provider()`, as source text. Pure. */
import { schemaText } from "./definition.js";
import type { ModuleOf } from "./module.js";
import type { Offered } from "./provider-names.js";
import { memberName } from "./type-text.js";

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
