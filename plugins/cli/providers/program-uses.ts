/** What a program asks of its providers, found in its own files before anything of it runs. */

import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { EngineError } from "../../../core/base/index.js";
import { functionName, GROUPS, objectName } from "../../terraform/generate/index.js";
import { loadBuilt } from "../typescript/compiled.js";
import { readProgram } from "../typescript/read-program.js";
import type { Chain, Uses } from "../typescript/uses.js";

type Babel = typeof import("../typescript/babel.js");

const SOURCE = /\.[cm]?[jt]sx?$/;

/** Paths of all files that the program has of its own. */
export function programSources(entry: string): readonly string[] {
  return readProgram(entry).sources.flatMap(({ path }) => (SOURCE.test(path) && existsSync(path) ? path : []));
}

/**
 * As `role` and `data.schemas`.
 *
 * @param module its file, which need not be there yet
 * @param type of the provider
 * @throws EngineError `INVALID_ARGUMENT` where there is no program
 */
export function usedInProgram(entry: string | undefined, module: string, type: string): readonly string[] {
  if (entry === undefined) {
    throw new EngineError("INVALID_ARGUMENT", "There is no program to be read. Name its file by --entry.");
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

/** What is no path may be one by the settings of the compiler: then the name of the file decides. */
function isModule(specifier: string, importer: string, module: string): boolean {
  const name = specifier.replace(SOURCE, "");
  const own = module.replace(SOURCE, "");
  return /^\.{1,2}\//.test(specifier) ? resolve(dirname(importer), name) === own : basename(name) === basename(own);
}

/** Which members of a provider's object a program asks for. Pure. */
interface UsedFile {
  readonly path: string;
  readonly uses: Uses;
}

interface ProviderModule {
  /** What the module exports, e.g. `postgresql`, and the type that it returns. */
  readonly functionName: string;
  readonly objectName: string;
  /** The members that lead to further ones, e.g. `data`. */
  readonly groups: readonly string[];
  /** Whether an import in a file means the module. */
  isImport(specifier: string, importer: string): boolean;
}

/**
 * As `role` and `data.schemas`. Goes by names, whichever scope they are in: too much is better than too little, and what the provider
 * does not have is left out by whoever knows.
 */
export function usedMembers(files: readonly UsedFile[], module: ProviderModule): readonly string[] {
  const known = rootsIn(files, module);
  if (known.size === 0) return [];
  const bound = files.flatMap(({ uses }) => uses.bound);
  // What is bound to something that is found later is found then.
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

/** By names, or calls of them: the way from the provider's object to what they are. */
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

/** Of the last name that is known: the way of it, and what follows; undefined where none is. */
function wayIn(chain: Chain, known: Known): readonly string[] | undefined {
  for (let at = chain.length - 1; at >= 0; at--) {
    const way = known.get(chain[at] ?? "");
    if (way) return [...way, ...chain.slice(at + 1)];
  }
  return undefined;
}
