/** Compiles with Babel and the few plugins that a program needs. Built into its own file, which is loaded on demand. */
import {
  type NodePath,
  type ParseResult,
  type PluginItem,
  type PluginObj,
  parseSync,
  template,
  transformFromAstSync,
  traverse,
  types,
} from "@babel/core";
import decorators from "@babel/plugin-proposal-decorators";
import classProperties from "@babel/plugin-transform-class-properties";
import resourceManagement from "@babel/plugin-transform-explicit-resource-management";
import modulesCommonJs from "@babel/plugin-transform-modules-commonjs";
import jsx from "@babel/plugin-transform-react-jsx";
import typescript from "@babel/plugin-transform-typescript";
import type { Compiled, Import, SourceText } from "./compiled.js";
import { COMMONJS, isPlainScript } from "./plain-script.js";
import type { Settings } from "./settings.js";
import type { Uses } from "./uses.js";
import { usesOf } from "./uses.js";

/** @throws the error of Babel, whose member `loc` is the position */
export function compileSync({ path, text, settings }: SourceText): Compiled {
  const options = {
    filename: path,
    sourceFileName: path.replace(/^.*[\\/]/, ""),
    sourceType: "unambiguous" as const,
    // No configuration of the project, neither of Babel nor of browsers.
    babelrc: false,
    configFile: false,
    browserslistConfigFile: false,
    assumptions: { setPublicClassFields: !settings.definesFields },
    compact: false,
    sourceMaps: true,
    ast: true,
    // A copy of the tree of a long program takes a hundred megabytes.
    cloneInputAst: false,
  };
  const plugins = pluginsFor(path, settings);
  const parsed = parseSync(text, { ...options, plugins });
  if (!parsed) throw new Error("Nothing was parsed.");
  if (isPlainScript(path, parsed)) return { format: "module", code: text, imports: importsOf(parsed), unused: [] };
  const globals = globalsOf(parsed);
  const format = formatOf(path, parsed, globals);
  const added = format === "commonjs" ? [modulesCommonJs] : [places(globals)];
  const unused: Import[] = [];
  const all = [notingUnused(unused), ...plugins, ...added];
  const result = transformFromAstSync(parsed, text, { ...options, plugins: all });
  if (!result?.ast || !result.map) throw new Error("Nothing was compiled.");
  const map = Buffer.from(JSON.stringify({ ...result.map, sourcesContent: undefined })).toString("base64");
  return {
    format,
    code: `${result.code}\n//# sourceMappingURL=data:application/json;base64,${map}\n`,
    imports: importsOf(result.ast),
    unused,
  };
}

/** Collects unused imports before they are dropped. */
function notingUnused(found: Import[]): PluginObj {
  const isUnused = (program: NodePath<types.Program>, one: types.ImportDeclaration["specifiers"][number]): boolean =>
    !(types.isImportSpecifier(one) && one.importKind === "type") &&
    program.scope.getBinding(one.local.name)?.referenced === false;
  return {
    visitor: {
      Program(program) {
        for (const node of program.node.body) {
          if (!types.isImportDeclaration(node) || node.importKind === "type") continue;
          if (node.specifiers.some((one) => isUnused(program, one))) found.push(importAt(node.source, false));
        }
      },
    },
  };
}

/** @returns the imports; none if the text is not JavaScript that Babel knows */
export function importsIn(path: string, text: string): readonly Import[] {
  try {
    const options = { babelrc: false, configFile: false, browserslistConfigFile: false } as const;
    const parsed = parseSync(text, { ...options, filename: path, sourceType: "unambiguous" });
    return parsed ? importsOf(parsed) : [];
  } catch {
    return []; // Node reports the fault itself.
  }
}

/** @throws the error of Babel */
export function usesIn(path: string, text: string): Uses {
  const parsed = parseSync(text, {
    filename: path,
    sourceType: "unambiguous",
    babelrc: false,
    configFile: false,
    browserslistConfigFile: false,
    parserOpts: {
      errorRecovery: true,
      plugins: [
        ...(path.endsWith("ts") ? [] : ["jsx" as const]),
        "typescript",
        "decorators",
        "explicitResourceManagement",
      ],
    },
  });
  if (!parsed) throw new Error("Nothing was parsed.");
  return usesOf(parsed);
}

/**
 * Returns the fault in a text that should be one value, with its position; undefined if it is a value in JavaScript.
 */
export function valueFault(path: string, text: string): { message: string; line: number; column: number } | undefined {
  try {
    const options = { babelrc: false, configFile: false, browserslistConfigFile: false } as const;
    parseSync(`(${text}\n)`, { ...options, filename: path, sourceType: "script" });
    return undefined;
  } catch (error) {
    const { loc, message } = Object(error);
    if (typeof loc?.line !== "number") return undefined;
    const said =
      String(message)
        .split("\n")[0]
        ?.replace(`${path}: `, "")
        .replace(/ \(\d+:\d+\)$/, "") ?? "";
    // The bracket that was added before the text shifts its first line.
    return { message: said, line: loc.line, column: loc.line === 1 ? loc.column : loc.column + 1 };
  }
}

function pluginsFor(path: string, settings: Settings): PluginItem[] {
  const assigns = settings.hasLegacyDecorators || !settings.definesFields;
  return [
    ...(/\.[cm]?tsx?$/.test(path) ? [[typescript, typescriptOptions(path, settings)] satisfies PluginItem] : []),
    [decorators, { version: settings.hasLegacyDecorators ? "legacy" : "2023-11" }],
    ...(assigns ? [classProperties] : []),
    ...(path.endsWith("x") ? [[jsx, jsxOptions(settings)] satisfies PluginItem] : []),
    resourceManagement,
  ];
}

function typescriptOptions(path: string, settings: Settings): object {
  const { jsx } = settings;
  return {
    isTSX: path.endsWith("x"),
    allowDeclareFields: true,
    onlyRemoveTypeImports: settings.keepsImports,
    ...(jsx.runtime === "classic" ? { jsxPragma: rootOf(jsx.pragma), jsxPragmaFrag: jsx.pragmaFrag } : {}),
  };
}

function rootOf(pragma: string): string {
  return pragma.split(".")[0] ?? pragma;
}

function jsxOptions({ jsx }: Settings): object {
  if (jsx.runtime === "classic") return jsx;
  return { runtime: "automatic", ...(jsx.importSource === undefined ? {} : { importSource: jsx.importSource }) };
}

/** Returns the globals of CommonJS that a file uses and does not declare. */
function globalsOf(parsed: ParseResult): ReadonlySet<string> {
  const found = new Set<string>();
  traverse(parsed, {
    Program(program: NodePath<types.Program>) {
      for (const name of COMMONJS) {
        if (program.scope.hasGlobal(name)) found.add(name);
      }
      program.stop();
    },
  });
  // Paths know the file that they were made for, and the transformation is another one.
  traverse.cache.clear();
  return found;
}

function formatOf(path: string, { program }: ParseResult, globals: ReadonlySet<string>): Compiled["format"] {
  if (/\.[cm]ts$/.test(path)) return path.endsWith(".cts") ? "commonjs" : "module";
  const isOld = program.sourceType === "script" && ["require", "module", "exports"].some((name) => globals.has(name));
  return isOld ? "commonjs" : "module";
}

/** Declares `__dirname` and `__filename` in ES modules, which do not have them. */
function places(globals: ReadonlySet<string>): PluginObj {
  const texts = [
    ...(globals.has("__dirname") ? ["const __dirname = import.meta.dirname;"] : []),
    ...(globals.has("__filename") ? ["const __filename = import.meta.filename;"] : []),
  ];
  return {
    visitor: {
      Program: {
        exit(program) {
          for (const text of texts)
            program.unshiftContainer("body", template.statement.ast(text, { sourceType: "module" }));
        },
      },
    },
  };
}

function importsOf(file: types.File): readonly Import[] {
  const found: Import[] = [];
  const addImport = (source: types.Node | null | undefined, isLate: boolean): void => {
    if (!types.isStringLiteral(source)) return;
    found.push(importAt(source, isLate));
  };
  types.traverseFast(file, (node) => {
    if (types.isImportDeclaration(node) || types.isExportAllDeclaration(node) || types.isExportNamedDeclaration(node)) {
      addImport(node.source, false);
    } else if (types.isImportExpression(node)) addImport(node.source, true);
    else if (types.isCallExpression(node)) {
      if (types.isImport(node.callee)) addImport(node.arguments[0], true);
      else if (types.isIdentifier(node.callee, { name: "require" })) addImport(node.arguments[0], true);
    }
  });
  return found;
}

function importAt(source: types.StringLiteral, isLate: boolean): Import {
  const { line = 0, column = -1 } = source.loc?.start ?? {};
  return { specifier: source.value, isLate, line, column: column + 1 };
}
