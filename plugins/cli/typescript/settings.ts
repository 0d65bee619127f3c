/** Reads the settings of a `tsconfig.json` for compiling and finding the files of a program. */

import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { createPathsMatcher, getTsconfig, type TsConfigResult } from "get-tsconfig";
import { EngineError, messageOf } from "../../../core/base/index.js";
import { loadBuilt, SourceFault } from "./compiled.js";
import { faultsText } from "./faults.js";

/** The settings that change the compiled code. Compiled files are cached until one of them changes. */
export interface Settings {
  readonly hasLegacyDecorators: boolean;
  /** True if class fields are defined, as in JavaScript; false if they are assigned. */
  readonly definesFields: boolean;
  /** True if imports that are used only for types are kept. */
  readonly keepsImports: boolean;
  readonly jsx:
    | { readonly runtime: "automatic"; readonly importSource: string | undefined }
    | { readonly runtime: "classic"; readonly pragma: string; readonly pragmaFrag: string };
}

export interface Project {
  readonly settings: Settings;
  /** Returns the files that a specifier may mean by the `paths` of the tsconfig. */
  paths(specifier: string): readonly string[];
}

/** Finds the project of each folder, once. */
export class Projects {
  readonly #byFolder = new Map<string, Project>();
  readonly #files = new Map<string, TsConfigResult>();
  readonly #byFile = new Map<string | undefined, Project>();
  #reported = 0;

  /** @throws EngineError `INVALID_PROGRAM` for a tsconfig.json that cannot be read */
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

  /** Returns the files that were read since the last call, including extended ones. */
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

/** Takes the paths from the keys of the reader's cache. */
function readIn(files: ReadonlyMap<string, unknown>): readonly string[] {
  return [...files.keys()].flatMap((key) => /^readFileSync:(.*\.json):/.exec(key)?.[1] ?? []);
}

function unreadable(folder: string, cause: unknown): EngineError {
  const text = `The tsconfig.json of "${folder}" could not be read: ${messageOf(cause)}`;
  return new EngineError("INVALID_PROGRAM", text, { cause });
}

/** Targets for which TypeScript assigns fields by default. */
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

/** Strings, comments, and trailing commas. */
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
    if (line <= lines.length) return new SourceFault(`This is not JSON: ${message}`, { path, line, column });
    const end = { path, line: lines.length, column: (lines.at(-1) ?? "").length + 1 };
    return new SourceFault("This is not JSON: it ends too early", end);
  }
}
