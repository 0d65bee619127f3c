/** What a `tsconfig.json` says of how a program's files are compiled and found. */

import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { createPathsMatcher, getTsconfig, type TsConfigResult } from "get-tsconfig";
import { EngineError, messageOf } from "../../../core/base/index.js";
import { loadBuilt, SourceFault } from "./compiled.js";
import { faultsText } from "./faults.js";

/** As few as matter: what is compiled is kept for as long as they stay. */
export interface Settings {
  readonly hasLegacyDecorators: boolean;
  /** Whether fields of classes are defined, as JavaScript does, or assigned. */
  readonly definesFields: boolean;
  /** Whether imports stay that only types are used of. */
  readonly keepsImports: boolean;
  readonly jsx:
    | { readonly runtime: "automatic"; readonly importSource: string | undefined }
    | { readonly runtime: "classic"; readonly pragma: string; readonly pragmaFrag: string };
}

export interface Project {
  readonly settings: Settings;
  /** What a specifier may mean by the `paths` of the file. */
  paths(specifier: string): readonly string[];
}

/** Looks once for each folder. */
export class Projects {
  readonly #byFolder = new Map<string, Project>();
  readonly #files = new Map<string, TsConfigResult>();
  readonly #byFile = new Map<string | undefined, Project>();
  #reported = 0;

  /** @throws EngineError `INVALID_PROGRAM` for a file that cannot be read as one */
  of(path: string): Project {
    const folder = dirname(path);
    const known = this.#byFolder.get(folder);
    if (known) return known;
    const found = this.#find(folder);
    const project = this.#byFile.get(found?.path) ?? projectOf(found);
    this.#byFile.set(found?.path, project);
    this.#byFolder.set(folder, project);
    return project;
  }

  /** The files that were read since this was last asked for, those that others extend included. */
  newFiles(): readonly string[] {
    const all = readIn(this.#files);
    const before = this.#reported;
    this.#reported = all.length;
    return all.slice(before);
  }

  #find(folder: string): TsConfigResult | undefined {
    try {
      return getTsconfig(folder, "tsconfig.json", this.#files) ?? undefined;
    } catch (error) {
      throw unreadable(folder, error);
    }
  }
}

/** By the names that the reader keeps its files under. */
function readIn(files: ReadonlyMap<string, unknown>): readonly string[] {
  return [...files.keys()].flatMap((key) => /^readFileSync:(.*\.json):/.exec(key)?.[1] ?? []);
}

function unreadable(folder: string, cause: unknown): EngineError {
  const text = `The tsconfig.json of "${folder}" cannot be read: ${messageOf(cause)}`;
  return new EngineError("INVALID_PROGRAM", text, { cause });
}

/** Targets in which TypeScript assigns fields, unless it is told otherwise. */
const ASSIGNING = /^(es[356]|es20(1\d|2[01]))$/i;

function projectOf(found: TsConfigResult | undefined): Project {
  const { compilerOptions: options = {} } = found?.config ?? {};
  return {
    settings: {
      hasLegacyDecorators: options.experimentalDecorators === true,
      definesFields: options.useDefineForClassFields ?? !ASSIGNING.test(options.target ?? ""),
      keepsImports: options.verbatimModuleSyntax === true || options.preserveValueImports === true,
      jsx: jsxOf(options),
    },
    paths: (found && createPathsMatcher(found)) ?? (() => []),
  };
}

type CompilerOptions = NonNullable<TsConfigResult["config"]["compilerOptions"]>;

function jsxOf({ jsx, jsxFactory, jsxFragmentFactory, jsxImportSource }: CompilerOptions): Settings["jsx"] {
  if (jsx?.startsWith("react-jsx") || jsxImportSource !== undefined) {
    return { runtime: "automatic", importSource: jsxImportSource };
  }
  return {
    runtime: "classic",
    pragma: jsxFactory ?? "React.createElement",
    pragmaFrag: jsxFragmentFactory ?? "React.Fragment",
  };
}

/** Texts in quotes, comments, and commas that nothing follows. */
const PARTS = /"(?:[^"\\\n]|\\.)*"|\/\/.*|\/\*[\s\S]*?\*\/|,(?=(?:\s|\/\/.*|\/\*[\s\S]*?\*\/)*[}\]])/g;

/** @throws EngineError `INVALID_PROGRAM` */
export function checkConfigs(paths: readonly string[]): void {
  const faults = [...new Set(paths)].flatMap((path) => faultIn(path, readFileSync(path, "utf8")) ?? []);
  if (faults.length > 0) throw new EngineError("INVALID_PROGRAM", faultsText(faults));
}

function faultIn(path: string, text: string): SourceFault | undefined {
  const plain = text.replace(/^\uFEFF/, "").replace(PARTS, (part) => (part.startsWith('"') ? part : " "));
  if (plain.trim() === "") return undefined;
  try {
    JSON.parse(plain);
    return undefined;
  } catch (error) {
    const fault = loadBuilt<typeof import("./babel.js")>("babel").valueFault(path, text);
    const { message = messageOf(error), line, column } = fault ?? { line: 1, column: 1 };
    const lines = text.trimEnd().split("\n");
    if (line <= lines.length) return new SourceFault(`This is no JSON: ${message}`, { path, line, column });
    const end = { path, line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
    return new SourceFault("This is no JSON: it ends too early", end);
  }
}
