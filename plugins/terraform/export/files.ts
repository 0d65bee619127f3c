/** Texts of the exported files. Pure. */
import type { StatePath } from "./body.js";
import { type Member, objectText } from "./body.js";
import type { Configuration } from "./providers.js";

/** A resource or data source with its names in Terraform, and its texts. */
export interface Written {
  readonly configuration: Configuration;
  readonly mode: "managed" | "data";
  readonly type: string;
  readonly name: string;
  /** JSON of its block. */
  readonly body: string;
  /** JSON of its instance in the state; data sources have none. */
  readonly instance?: string;
}

/** @param providers JSON of the block of each configuration */
export function configurationText(
  configurations: readonly Configuration[],
  providers: readonly string[],
  resources: readonly Written[],
  variables: readonly Member[],
): string {
  const required = new Map(
    configurations.map(({ local, source, version }) => [
      local,
      JSON.stringify({ source, ...(version === undefined ? {} : { version }) }),
    ]),
  );
  const blocks = grouped(configurations.map(({ local }, at) => [local, providers[at] ?? "{}"]));
  const byMode = (mode: Written["mode"]): readonly Member[] => {
    const byType = new Map<string, Member[]>();
    for (const one of resources) {
      if (one.mode !== mode) continue;
      const members = byType.get(one.type) ?? [];
      byType.set(one.type, members);
      members.push([one.name, one.body]);
    }
    return [...byType].map(([type, members]) => [type, objectText(members)]);
  };
  const parts: readonly Member[] = [
    ["terraform", objectText([["required_providers", objectText([...required])]])],
    ["provider", objectText(blocks)],
    ["variable", objectText(variables.map(([name]) => [name, '{"sensitive": true}']))],
    ["data", objectText(byMode("data"))],
    ["resource", objectText(byMode("managed"))],
  ];
  return pretty(objectText(parts.filter(([name, text]) => name === "terraform" || text !== "{}")));
}

function grouped(all: readonly Member[]): readonly Member[] {
  return [...new Set(all.map(([name]) => name))].map((name) => [
    name,
    `[${all.flatMap(([one, text]) => (one === name ? text : [])).join(", ")}]`,
  ]);
}

/** @param lineage random name, which stays the same in each export of a stage */
export function stateText(lineage: string, serial: number, resources: readonly Written[]): string {
  const all = resources.flatMap(({ configuration: { source, alias }, mode, type, name, instance }) => {
    if (instance === undefined) return [];
    const provider = `provider["${source}"]${alias === undefined ? "" : `.${alias}`}`;
    const members: readonly Member[] = [
      ["mode", JSON.stringify(mode)],
      ["type", JSON.stringify(type)],
      ["name", JSON.stringify(name)],
      ["provider", JSON.stringify(provider)],
      ["instances", `[${instance}]`],
    ];
    return objectText(members);
  });
  return pretty(
    objectText([
      ["version", "4"],
      // A newer program reads a state of an older one; not the other way round.
      ["terraform_version", '"1.0.0"'],
      ["serial", String(serial)],
      ["lineage", JSON.stringify(lineage)],
      ["outputs", "{}"],
      ["resources", `[${all.join(", ")}]`],
    ]),
  );
}

export interface Instance {
  readonly version: number;
  /** JSON of the value. */
  readonly attributes: string;
  /** Paths of the values that come from variables. */
  readonly sensitive: readonly StatePath[];
  readonly private: Uint8Array;
  /** Addresses of resources. */
  readonly dependencies: readonly string[];
}

export function instanceText(instance: Instance): string {
  const { version, attributes, sensitive, private: bytes, dependencies } = instance;
  return objectText([
    ["schema_version", String(version)],
    ["attributes", attributes],
    ["sensitive_attributes", JSON.stringify(sensitive)],
    ...(bytes.length > 0 ? [["private", JSON.stringify(Buffer.from(bytes).toString("base64"))] as const] : []),
    ...(dependencies.length > 0 ? [["dependencies", JSON.stringify(dependencies)] as const] : []),
  ]);
}

/** Indents JSON without parsing it, because its numbers may have more digits than JavaScript has. */
export function pretty(json: string): string {
  let depth = 0;
  const line = (): string => `\n${"  ".repeat(depth)}`;
  const text = json.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[{[]\s*[}\]]|[{}[\],:]|[^\s"{}[\],:]+|\s+/g, (token) => {
    if (/^\s+$/.test(token)) return "";
    if (token === "{" || token === "[") {
      depth++;
      return token + line();
    }
    if (token === "}" || token === "]") {
      depth--;
      return line() + token;
    }
    if (token === ",") return token + line();
    return token === ":" ? ": " : token;
  });
  return `${text}\n`;
}
