/** The first lines of a module of types, by which the next command knows what it has. */

/** What was taken of a provider, by the names of programs, sorted. */
export interface Selection {
  readonly resources: readonly string[];
  readonly dataSources: readonly string[];
  readonly ephemeral: readonly string[];
  readonly functions: readonly string[];
}

/** One of its kinds after the other. */
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

export function moduleHeader(module: WrittenModule): string {
  const { source, version, resources, dataSources, ephemeral, functions } = module;
  const data = JSON.stringify({ source, version, resources, dataSources, ephemeral, functions });
  return `// Written by "engine add". What is changed by hand is lost with the next one.\n${MARK}${data}\n`;
}

/** Undefined for a text that is no such module. */
export function writtenModule(text: string): WrittenModule | undefined {
  const line = text.split("\n", 5).find((one) => one.startsWith(MARK));
  if (line === undefined) return undefined;
  try {
    const data = Object(JSON.parse(line.slice(MARK.length)));
    const { source, version } = data;
    if (typeof source !== "string" || typeof version !== "string") return undefined;
    return { source, version, ...selectionOf((kind) => texts(data[kind])) };
  } catch {
    return undefined; // Changed by hand: it is written anew.
  }
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

/** Both together. */
export function joined(one: Selection, other: Selection): Selection {
  return selectionOf((kind) => [...new Set([...one[kind], ...other[kind]])].sort());
}
