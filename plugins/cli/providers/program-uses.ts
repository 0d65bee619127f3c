/** What a program asks of its providers, found in its own files before anything of it runs. */
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { EngineError } from "../../../core/base/index.js";
import { functionName, GROUPS, objectName } from "../../terraform/generate/index.js";
import { loadBuilt } from "../typescript/built.js";
import { readProgram } from "../typescript/read-program.js";
import { usedMembers } from "./used-members.js";

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
