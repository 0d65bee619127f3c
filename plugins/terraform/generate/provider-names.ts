/** What a provider offers, by the names that programs have for it. */
import { type Names, namesOfTypes, type ProviderSchema } from "../schema/index.js";
import type { Selection } from "./module-header.js";

/** The members of a provider's object that are no resources. */
export const GROUPS = { dataSources: "data", ephemeral: "ephemeral", functions: "functions" } as const;

export type Offered = Readonly<Record<keyof Selection, ReadonlyMap<string, string>>>;

/** By the names of programs: the provider's own. */
export function offeredBy(type: string, schema: ProviderSchema): Offered {
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

/** A type that would be called as a group is, has a line behind its name. */
function apart({ toProvider }: Names, isBesideGroups: boolean): ReadonlyMap<string, string> {
  if (!isBesideGroups) return toProvider;
  const groups: readonly string[] = Object.values(GROUPS);
  return new Map([...toProvider].map(([name, own]) => [groups.includes(name) ? `${name}_` : name, own]));
}

/** A type as the provider calls it, without the word that all of its types begin with: `grant_role` of `postgresql_grant_role`. */
export function shortName(type: string, names: ReadonlyMap<string, string>): (own: string) => string {
  const prefix = `${prefixOf(type, [...names.values()])}_`;
  return (own) => (own.startsWith(prefix) ? own.slice(prefix.length) : own);
}

/** What names of types begin with: mostly the provider's, and else what all have in common, as `google` of `google-beta`. */
function prefixOf(type: string, types: readonly string[]): string {
  const own = type.replaceAll("-", "_");
  if (types.some((one) => one === own || one.startsWith(`${own}_`))) return own;
  const [first = ""] = (types[0] ?? "").split("_");
  return types.every((one) => one === first || one.startsWith(`${first}_`)) ? first : own;
}
