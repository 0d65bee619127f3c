/** What the entries of the package export, as the compiler sees it. */
import ts from "typescript";
import { manifest, packageEntries } from "./package-exports.ts";
import { root, sourceFiles } from "./project.ts";

export interface EntryExport {
  readonly name: string;
  /** False for a type, and for a value that is exported as a type only. */
  readonly isValue: boolean;
  /** What its TSDoc says, without tags. */
  readonly doc: string;
}

export interface EntryExports {
  /** As a program writes it, e.g. `scope-engine/resources`. */
  readonly specifier: string;
  readonly exports: readonly EntryExport[];
}

/** Every entry with what it exports, sorted by name. */
export function entryExports(): EntryExports[] {
  const entries = packageEntries(manifest(), sourceFiles());
  const config = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile).config;
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = programOf(
    entries.map(({ source }) => root + source),
    { ...options, noLib: true, types: [] },
  );
  return entries.map(({ specifier, source }) => {
    const file = program.getSourceFile(root + source);
    if (file === undefined) throw new Error(`${source} is not there.`);
    return { specifier, exports: exportsOf(file, program.getTypeChecker()) };
  });
}

/** Of the project's own sources alone: what an entry exports is made there, and packages have many times as much. */
function programOf(files: readonly string[], options: ts.CompilerOptions): ts.Program {
  const host = ts.createCompilerHost(options);
  host.resolveModuleNameLiterals = (literals, from, _, given) =>
    literals.map(({ text }) => (text.startsWith(".") ? ts.resolveModuleName(text, from, given, host) : NOT_LOADED));
  return ts.createProgram(files, options, host);
}

const NOT_LOADED: ts.ResolvedModuleWithFailedLookupLocations = { resolvedModule: undefined };

function exportsOf(file: ts.SourceFile, checker: ts.TypeChecker): EntryExport[] {
  const module = checker.getSymbolAtLocation(file);
  const symbols = module ? checker.getExportsOfModule(module) : [];
  return symbols
    .map((symbol) => {
      const meant = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      const doc = ts.displayPartsToString(meant.getDocumentationComment(checker));
      return { name: symbol.name, isValue: isValue(symbol, meant, module), doc };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What comes through `export type *` is in no table of the entry itself. */
function isValue(symbol: ts.Symbol, meant: ts.Symbol, module: ts.Symbol | undefined): boolean {
  if (!(meant.flags & ts.SymbolFlags.Value) || !module?.exports?.has(symbol.escapedName)) return false;
  const [declaration] = symbol.declarations ?? [];
  return !(declaration && ts.isExportSpecifier(declaration) && ts.isTypeOnlyExportDeclaration(declaration));
}
