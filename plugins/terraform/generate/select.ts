/** Selects types and functions of a provider by names from the command line. Pure. */
import { allNear, EngineError } from "../../../core/base/index.js";
import { GROUPS, type Offered, type Selection, selectionOf, shortName } from "./module.js";

/**
 * Selects by words such as `grantRole`, `postgresql_grant_role`, `grant_role`, `data.schemas`, `functions.*`. A word is
 * a name of a program, or the provider's name with or without its prefix. If it is not a resource, the name of its
 * group precedes it. `*` stands for any letters.
 *
 * @param type of the provider, e.g. `postgresql`
 * @throws EngineError `INVALID_ARGUMENT` with the available names
 */
export function select(words: readonly string[], offered: Offered, type: string): Selection {
  const found: Record<keyof Selection, Set<string>> = {
    resources: new Set(),
    dataSources: new Set(),
    ephemeral: new Set(),
    functions: new Set(),
  };
  for (const word of words) {
    const [kind, name] = kindOf(word);
    const fitting = namedBy(name, offered[kind], type);
    if (fitting.length === 0) throw unknown(word, name, offered[kind]);
    for (const program of fitting) found[kind].add(program);
  }
  return selectionOf((kind) => [...found[kind]].sort());
}

/** Returns matching names in programs. If a name is the whole name of one type, it is not the short name of another. */
function namedBy(name: string, names: ReadonlyMap<string, string>, type: string): readonly string[] {
  const short = shortName(type, names);
  const pattern = patternOf(name);
  const fitting = [...names].filter(([program, own]) => [program, own, short(own)].some((one) => pattern.test(one)));
  const exact = fitting.filter(([program, own]) => program === name || own === name);
  return (exact.length > 0 ? exact : fitting).map(([program]) => program);
}

function kindOf(word: string): readonly [keyof Selection, string] {
  const at = word.indexOf(".");
  const group = word.slice(0, at);
  if (at > 0 && group === GROUPS.dataSources) return ["dataSources", word.slice(at + 1)];
  if (at > 0 && group === GROUPS.ephemeral) return ["ephemeral", word.slice(at + 1)];
  if (at > 0 && group === GROUPS.functions) return ["functions", word.slice(at + 1)];
  return ["resources", word];
}

function patternOf(name: string): RegExp {
  return new RegExp(`^${name.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*")}$`);
}

function unknown(word: string, name: string, offered: ReadonlyMap<string, string>): EngineError {
  const all = [...offered.keys()].sort();
  const near = [...new Set([...allNear(name, all), ...allNear(name, [...offered.values()])])];
  const shown = near.length > 0 ? near : all.slice(0, 10);
  const more = near.length === 0 && all.length > shown.length ? ` and ${all.length - shown.length} more` : "";
  const there = shown.length === 0 ? "It has none of this kind." : `Available: ${shown.join(", ")}${more}.`;
  return new EngineError("INVALID_ARGUMENT", `The provider has no "${word}". ${there}`);
}

/** Returns the total number of names. */
export function countOf(selection: Selection): number {
  return Object.values(selection).reduce((sum, names) => sum + names.length, 0);
}

/** Returns the names that the provider still has. */
export function stillOffered(selection: Selection, offered: Offered): Selection {
  return selectionOf((kind) => selection[kind].filter((name) => offered[kind].has(name)));
}

/** Returns the members used by a program that the provider has. @param members e.g. `role` and `data.schemas` */
export function used(members: readonly string[], offered: Offered): Selection {
  const all = members.map(kindOf);
  return selectionOf((kind) =>
    [...new Set(all.flatMap(([of, name]) => (of === kind && offered[kind].has(name) ? name : [])))].sort(),
  );
}
