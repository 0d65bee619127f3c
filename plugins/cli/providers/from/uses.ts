/** Finds the providers and types that files of Terraform, OpenTofu or CDKTF use. */
import { hclObject, hclText, readHcl } from "./hcl.js";

/** A provider as a configuration requires it. */
export interface Required {
  readonly source?: string;
  readonly version?: string;
}

/** The providers and types that one or several files use. */
export interface Uses {
  /** By local name in the configuration. */
  readonly required: ReadonlyMap<string, Required>;
  readonly types: readonly UsedType[];
  /** Names of providers that are configured. */
  readonly configured: readonly string[];
  readonly modules: readonly string[];
}

export interface UsedType {
  /** Name for `engine add`, e.g. `aws_s3_bucket`, `data.aws_region`. */
  readonly name: string;
  /** Local name of the provider in the configuration. */
  readonly provider: string;
}

/** The prefix of a name in `engine add`, by the word of the configuration. */
const GROUPS: ReadonlyMap<string, string> = new Map([
  ["resource", ""],
  ["data", "data."],
  ["ephemeral", "ephemeral."],
]);

export function usesInHcl(text: string): Uses {
  const { blocks } = readHcl(text);
  const required = blocks
    .filter(({ type }) => type === "terraform")
    .flatMap(({ body }) => body.blocks.filter(({ type }) => type === "required_providers"))
    .flatMap(({ body }) => [...body.attributes].map(([name, value]) => [name, requiredIn(value)] as const));
  const types = blocks.flatMap(({ type, labels: [of], body }) => {
    const group = GROUPS.get(type);
    const provider = body.attributes.get("provider");
    return group === undefined || of === undefined ? [] : usedType(group, of, hclText(provider) ?? provider);
  });
  const named = (wanted: string): readonly string[] =>
    blocks.flatMap(({ type, labels: [name] }) => (type === wanted && name !== undefined ? name : []));
  return { required: new Map(required), types, configured: named("provider"), modules: named("module") };
}

/** @throws SyntaxError if it is not JSON */
export function usesInJson(text: string): Uses {
  const root = membersOf(JSON.parse(text));
  const required = root
    .filter(([key]) => key === "terraform")
    .flatMap(([, value]) => membersOf(value).filter(([key]) => key === "required_providers"))
    .flatMap(([, value]) => membersOf(value).map(([name, one]) => [name, requiredOf(one)] as const));
  const types = root.flatMap(([key, value]) => {
    const group = GROUPS.get(key);
    if (group === undefined) return [];
    return membersOf(value).flatMap(([of, all]) =>
      membersOf(all).map(([, one]) => usedType(group, of, membersOf(one).find(([name]) => name === "provider")?.[1])),
    );
  });
  const named = (wanted: string): readonly string[] =>
    root.flatMap(([key, value]) => (key === wanted ? membersOf(value).map(([name]) => name) : []));
  return { required: new Map(required), types, configured: named("provider"), modules: named("module") };
}

export function allUses(all: readonly Uses[]): Uses {
  return {
    required: new Map(all.flatMap(({ required }) => [...required])),
    types: all.flatMap(({ types }) => types),
    configured: all.flatMap(({ configured }) => configured),
    modules: all.flatMap(({ modules }) => modules),
  };
}

/** @param provider `aws` or `aws.west`, also as an expression; otherwise the type begins with its name */
function usedType(group: string, type: string, provider: unknown): UsedType {
  const [own] = /[a-z0-9][\w-]*/i.exec(typeof provider === "string" ? provider : "") ?? [];
  return { name: `${group}${type}`, provider: own ?? type.replace(/_.*/s, "") };
}

/** Before Terraform 0.13 the value was only a version. */
function requiredIn(value: string): Required {
  const version = hclText(value);
  if (version !== undefined) return { version };
  const members = hclObject(value);
  return requiredOf({ source: hclText(members.get("source")), version: hclText(members.get("version")) });
}

function requiredOf(value: unknown): Required {
  if (typeof value === "string") return { version: value };
  const { source, version } = Object(value);
  return { ...(typeof source === "string" && { source }), ...(typeof version === "string" && { version }) };
}

/** Returns the members of an object, or of each object in an array; JSON allows both. `//` is a comment. */
function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.flatMap(membersOf);
  return typeof value === "object" && value !== null ? Object.entries(value).filter(([name]) => name !== "//") : [];
}
