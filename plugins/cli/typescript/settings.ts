/** What a `tsconfig.json` says of how a program's files are compiled and found. */
import { dirname } from "node:path";
import { createPathsMatcher, getTsconfig, type TsConfigResult } from "get-tsconfig";
import { EngineError, messageOf } from "../../../core/base/index.js";

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
