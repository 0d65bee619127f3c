/** Finds the types of providers that a program uses by parsing its files, without running it. */

import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { EngineError } from "../../../core/base/index.js";
import { functionName, GROUPS, objectName } from "../../terraform/generate/index.js";
import { loadBuilt } from "../typescript/compiled.js";
import { readProgram } from "../typescript/read-program.js";
import type { Chain, Uses } from "../typescript/uses.js";

type Babel = typeof import("../typescript/babel.js");

const SOURCE = /\.[cm]?[jt]sx?$/;

/** Returns the paths of all own files of the program. */
export function programSources(entry: string): readonly string[] {
  return readProgram(entry).sources.flatMap(({ path }) => (SOURCE.test(path) && existsSync(path) ? path : []));
}

/**
 * Returns the used members, such as `role` and `data.schemas`.
 *
 * @param module file of the provider's module, which may not exist yet
 * @param type of the provider
 * @throws EngineError `INVALID_ARGUMENT` if there is no program
 */
export function usedInProgram(entry: string | undefined, module: string, type: string): readonly string[] {
  if (entry === undefined) {
    throw new EngineError("INVALID_ARGUMENT", "There is no program to read. Name its file with --entry.");
  }
  const { usesIn } = loadBuilt<Babel>("babel");
  const files = programSources(entry)
    .filter((path) => path !== module)
    .map((path) => ({ path, uses: usesIn(path, readFileSync(path, "utf8")) }));
  return usedMembers(files, {
    functionName: functionName(type),
    objectName: objectName(type),
    groups: Object.values(GROUPS),
    isImport: (specifier, importer) => isModule(specifier, importer, module),
  });
}

/** A specifier without `./` may still be a path by the settings of the compiler; then the file name decides. */
function isModule(specifier: string, importer: string, module: string): boolean {
  const name = specifier.replace(SOURCE, "");
  const own = module.replace(SOURCE, "");
  return /^\.{1,2}\//.test(specifier) ? resolve(dirname(importer), name) === own : basename(name) === basename(own);
}

interface UsedFile {
  readonly path: string;
  readonly uses: Uses;
}

interface ProviderModule {
  /** Name of the exported function, e.g. `postgresql`, and of the type that it returns. */
  readonly functionName: string;
  readonly objectName: string;
  /** The members that lead to further ones, e.g. `data`. */
  readonly groups: readonly string[];
  /** True if an import in a file refers to the module. */
  isImport(specifier: string, importer: string): boolean;
}

/**
 * Returns the used members, such as `role` and `data.schemas`. It compares names and ignores their scopes: a type too
 * many does no harm, and the caller drops members that the provider does not have.
 */
export function usedMembers(files: readonly UsedFile[], module: ProviderModule): readonly string[] {
  const known = rootsIn(files, module);
  if (known.size === 0) return [];
  const bound = files.flatMap(({ uses }) => uses.bound);
  // A variable may be bound to a name that is found later, so repeat until no name is added.
  for (let before = -1; before !== known.size; ) {
    before = known.size;
    for (const { name, to } of bound) {
      const way = wayIn(to, known);
      const isObject = way?.length === 0 || (way?.length === 1 && module.groups.includes(way[0] ?? ""));
      if (way !== undefined && isObject && !known.has(name)) known.set(name, way);
    }
  }
  const found = new Set<string>();
  for (const chain of files.flatMap(({ uses }) => uses.chains)) {
    const [first, second] = (wayIn(chain, known) ?? []).map((name) => name.replace("()", ""));
    if (first === undefined) continue;
    if (!module.groups.includes(first)) found.add(first);
    else if (second !== undefined) found.add(`${first}.${second}`);
  }
  return [...found].sort();
}

/** Path from the provider's object to the value of a name or of a call, by name. */
type Known = Map<string, readonly string[]>;

function rootsIn(files: readonly UsedFile[], { functionName, objectName, isImport }: ProviderModule): Known {
  const known: Known = new Map();
  for (const { path, uses } of files) {
    for (const { specifier, imported, local } of uses.imports) {
      if (!isImport(specifier, path)) continue;
      if (imported === functionName) known.set(`${local}()`, []);
      if (imported === objectName) known.set(`:${local}`, []);
      if (imported === "*") known.set(`${functionName}()`, []).set(`:${objectName}`, []);
    }
  }
  return known;
}

/** Returns the path of the last known name and the names after it; undefined if none is known. */
function wayIn(chain: Chain, known: Known): readonly string[] | undefined {
  for (let at = chain.length - 1; at >= 0; at--) {
    const way = known.get(chain[at] ?? "");
    if (way) return [...way, ...chain.slice(at + 1)];
  }
  return undefined;
}
