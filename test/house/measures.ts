/**
 * Prints the size of the project and measures of its structure:
 *
 *   npm run measures
 */
import { posix } from "node:path";
import { circlesOf, importedBy, targetOf } from "./import-rules.ts";
import { filesBelow, read, sourceFiles } from "./project.ts";
import { type Imports, importsOf } from "./source-imports.ts";

const sources = sourceFiles();
const core = sources.filter((file) => file.startsWith("core/"));
const tests = filesBelow("test", (path) => /\.tsx?$/.test(path));
const imports: Imports = new Map(sources.map((file) => [file, importsOf(read(file))] as const));

/** Lines that are neither empty nor a comment. */
function linesOf(files: readonly string[]): number {
  const codeOf = (file: string): string => read(file).replaceAll(/\/\*[\s\S]*?\*\//g, "");
  const isCode = (line: string): boolean => line.trim() !== "" && !line.trim().startsWith("//");
  return files.reduce((sum, file) => sum + codeOf(file).split("\n").filter(isCode).length, 0);
}

/** Files that one other file imports, without index files: these stand for a room. */
function withOneImporter(): number {
  const importers = new Map<string, Set<string>>(sources.map((file) => [file, new Set()]));
  for (const file of sources) for (const target of importedBy(file, imports)) importers.get(target)?.add(file);
  return [...importers].filter(([file, by]) => by.size === 1 && !file.endsWith("/index.ts")).length;
}

/** Imports of tests that bypass the index files of rooms and plugins. */
function internalImports(): number {
  const targets = tests.flatMap((file) =>
    importsOf(read(file)).flatMap(({ specifier = "" }) => targetOf(file, specifier) ?? []),
  );
  return targets.filter((target) => sources.includes(target) && !target.endsWith("/index.ts")).length;
}

const folders = new Map<string, number>();
for (const file of sources) folders.set(posix.dirname(file), (folders.get(posix.dirname(file)) ?? 0) + 1);
const circles = circlesOf(imports);

console.table({
  "core: files": core.length,
  "core: lines of code": linesOf(core),
  "all sources: files": sources.length,
  "all sources: lines of code": linesOf(sources),
  "files with one importer": withOneImporter(),
  "folders with more than 20 files": [...folders.values()].filter((count) => count > 20).length,
  "circles of files, types counted": circles.length,
  "files in the largest circle": circles[0]?.length ?? 0,
  "tests: files": tests.length,
  "tests: lines of code": linesOf(tests),
  "imports of internals in tests": internalImports(),
});
