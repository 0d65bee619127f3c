/** Finds the own files of a program before it runs, and compiles them for Node. */
import { readFileSync, realpathSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, extname, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { messageOf } from "../../../core/base/index.js";
import type { Source } from "../watch/messages.js";
import { stampOf } from "../watch/watched-files.js";
import { type Import, SourceFault } from "./compiled.js";
import { Compiler, type Memory } from "./compiler.js";
import { lostText } from "./faults.js";
import { checkBuiltin, importKey, isEngine, isPath, type Known, type Loaded, noBuiltin } from "./known.js";
import { namesFor, Resolver } from "./resolver.js";
import { checkConfigs, Projects } from "./settings.js";

interface File {
  readonly imports: readonly Import[];
  /** Undefined if Node reads the file itself. */
  readonly loaded: Loaded | undefined;
}

const BY_NODE: File = { imports: [], loaded: undefined };

export class Program {
  readonly entry: string;
  readonly #projects = new Projects();
  readonly #resolver = new Resolver(this.#projects);
  readonly #compiler: Compiler;
  readonly #files = new Set<string>();
  readonly #resolved = new Map<string, string | null>();
  readonly #loaded = new Map<string, Loaded>();
  readonly #missing = new Map<string, number>();
  readonly #seen = new Map<string, Source>();
  readonly #faults: SourceFault[] = [];
  #isPlain = true;

  /** Called with each file that is seen from now on. */
  onSeen: ((source: Source) => void) | undefined;

  /**
   * @param entry absolute path
   * @param memory compiled files; default: those of the last run
   */
  constructor(entry: string, memory?: Memory) {
    // Node names it without symbolic links, too.
    this.entry = realpathSync(entry);
    this.#compiler = new Compiler(entry, memory);
    this.#files.add(urlOf(this.entry));
  }

  /** Finds all static imports of the program. @throws EngineError `INVALID_PROGRAM` for an invalid tsconfig.json */
  read(): void {
    const queue = [this.entry];
    const reached = new Set(queue);
    for (const path of queue) {
      for (const one of this.#importsOf(path)) {
        const url = this.#reach(one, path);
        const next = url !== undefined && this.#files.has(url) ? fileURLToPath(url) : undefined;
        if (next === undefined || reached.has(next)) continue;
        reached.add(next);
        queue.push(next);
      }
    }
    checkConfigs(this.#projects.newFiles());
    this.#compiler.save();
  }

  get known(): Known {
    return {
      entry: urlOf(this.entry),
      files: this.#files,
      resolved: this.#resolved,
      loaded: this.#loaded,
      missing: this.#missing,
    };
  }

  get memory(): Memory {
    return this.#compiler.memory;
  }

  /** Faults in order; empty if the program can be run. */
  get faults(): readonly SourceFault[] {
    return this.#faults;
  }

  /** True if Node can find and read all files itself, including those that are imported while the program runs. */
  get isPlain(): boolean {
    return this.#isPlain;
  }

  /** The program's own files, and missing files that it imports. */
  get sources(): readonly Source[] {
    return [...this.#seen.values()];
  }

  /**
   * Finds the file of an import in a file of the program; undefined if Node finds it itself.
   *
   * @throws Error like {@link checkBuiltin}
   */
  resolve(specifier: string, importer: string | undefined): string | undefined {
    if (importer === undefined || !this.#files.has(importer)) return undefined;
    checkBuiltin(specifier, importer, this.#missing);
    const known = this.#resolved.get(importKey(importer, specifier));
    // A missing file may have been created since.
    return known ?? this.#find(specifier, fileURLToPath(importer));
  }

  /** Returns the text of the file when it was first read. @throws SourceFault, and the errors of {@link read} */
  load(url: string): Loaded | undefined {
    const known = this.#loaded.get(url);
    if (known) return known;
    const path = url.startsWith("file:") ? fileURLToPath(url) : undefined;
    if (path === undefined || isInPackage(path) || kindOf(path) === "script") return undefined;
    const { loaded } = this.#fileAt(path);
    checkConfigs(this.#projects.newFiles());
    if (loaded) this.#files.add(url);
    this.#compiler.save();
    return loaded;
  }

  #importsOf(path: string): readonly Import[] {
    try {
      return this.#fileAt(path).imports;
    } catch (error) {
      if (!(error instanceof SourceFault)) throw error;
      this.#faults.push(error);
      return [];
    }
  }

  #fileAt(path: string): File {
    const kind = kindOf(path);
    if (kind === undefined) return BY_NODE;
    this.#see(path);
    const text = readFileSync(path, "utf8");
    if (kind === "script") {
      const { imports, isComplete } = this.#compiler.importsIn(path, text);
      this.#isPlain &&= isComplete;
      return { imports, loaded: undefined };
    }
    this.#isPlain = false;
    const file = kind === "source" ? this.#sourceAt(path, text) : dataAt(path, kind, text);
    if (file.loaded) this.#loaded.set(urlOf(path), file.loaded);
    return file;
  }

  #sourceAt(path: string, text: string): File {
    const { settings } = this.#projects.of(path);
    const { format, code, imports: used, unused } = this.#compiler.compile({ path, text, settings });
    // An unused module may still define the kinds of recorded resources, so its import is kept.
    const kept = unused.filter(({ specifier }) => this.#resolver.isCode(specifier, path));
    const imports = [...used, ...kept];
    const whole = [code, ...kept.map(({ specifier }) => importing(specifier, format))].join("");
    const asksEngine = format === "commonjs" && imports.some(({ specifier }) => isEngine(specifier));
    const source = asksEngine ? requiringEngine(whole, this.entry) : whole;
    return { imports, loaded: { format, source, isData: false } };
  }

  #reach({ specifier, isLate, line, column }: Import, importer: string): string | undefined {
    const url = this.#find(specifier, importer);
    this.#resolved.set(importKey(urlOf(importer), specifier), url ?? null);
    // Another file may find another copy of the engine than the program's own one.
    if (isEngine(specifier) ? importer !== this.entry : url !== urlForNode(specifier, importer)) this.#isPlain = false;
    if (url !== undefined) return url;
    const meant = isPath(specifier) ? [pathMeant(specifier, importer)] : this.#resolver.lost(specifier, importer);
    if (specifier.startsWith("node:") && !isBuiltin(specifier)) {
      if (isLate) this.#missing.set(importKey(urlOf(importer), specifier), line);
      else this.#faults.push(new SourceFault(noBuiltin(specifier), { path: importer, line, column }));
      this.#isPlain = false;
      return undefined;
    }
    // Node's own message about a missing package is better.
    if (meant.length === 0) return undefined;
    this.#isPlain = false;
    // Watch the missing file: creating it may complete the program.
    for (const name of meant.flatMap(namesFor)) this.#see(name);
    if (!isLate && kindOf(importer) === "source") {
      this.#faults.push(new SourceFault(lostText(specifier, meant), { path: importer, line, column }));
    }
    return undefined;
  }

  /** Finds the file of an import, and adds it to the files of the program if it is one. */
  #find(specifier: string, importer: string): string | undefined {
    if (isEngine(specifier)) return undefined;
    // A query belongs to the name of the module, not of the file: each query makes a separate module.
    const [, name = "", suffix = ""] = /^([^?]+)(.*)$/s.exec(specifier) ?? [];
    const { path, by } = this.#resolver.resolve(name, importer) ?? {};
    if (path === undefined) return undefined;
    const kind = isInPackage(path) ? undefined : kindOf(path);
    const isOwn = kind !== undefined && (by === "path" || kind === "source");
    const url = `${urlOf(path)}${suffix}`;
    if (isOwn) this.#files.add(url);
    return isOwn || by === "path" ? url : undefined;
  }

  #see(path: string): void {
    if (this.#seen.has(path)) return;
    const source = { path, stamp: stampOf(path) };
    this.#seen.set(path, source);
    this.onSeen?.(source);
  }
}

function importing(specifier: string, format: Loaded["format"]): string {
  const name = JSON.stringify(specifier);
  return format === "module" ? `import ${name};\n` : `require(${name});\n`;
}

/** Returns the URL that Node makes of an import; undefined for a package. */
function urlForNode(specifier: string, importer: string): string | undefined {
  return isPath(specifier) ? new URL(specifier, urlOf(importer)).href : undefined;
}

function pathMeant(specifier: string, importer: string): string {
  return specifier.startsWith("file:") ? fileURLToPath(specifier) : resolve(dirname(importer), specifier);
}

/** `source` is compiled, `script` is loaded by Node as it is. */
type Kind = "source" | "script" | "json" | "text";

const KINDS: Readonly<Record<string, Kind>> = {
  ".ts": "source",
  ".tsx": "source",
  ".mts": "source",
  ".cts": "source",
  ".jsx": "source",
  ".js": "script",
  ".mjs": "script",
  ".cjs": "script",
  ".json": "json",
  ".txt": "text",
};

function kindOf(path: string): Kind | undefined {
  return KINDS[extname(path)];
}

function isInPackage(path: string): boolean {
  return /[\\/]node_modules[\\/]/.test(path);
}

function urlOf(path: string): string {
  return pathToFileURL(path).href;
}

function dataAt(path: string, kind: "json" | "text", text: string): File {
  const source = kind === "json" ? jsonModule(path, text) : textModule(text);
  return { imports: [], loaded: { format: "module", source, isData: true } };
}

/**
 * Changes `require` in the code, so that it loads the engine as a file does that Node reads itself. The change is in
 * the first line, so that all lines keep their numbers.
 *
 * @param entry file of the program, whose copy of the engine is used
 */
function requiringEngine(code: string, entry: string): string {
  const byNode = `process.getBuiltinModule("node:module").createRequire(${JSON.stringify(entry)})`;
  const asked = `(own, byNode) => Object.assign((name) => (/^scope-engine(\\/|$)/.test(name) ? byNode : own)(name), own)`;
  const [prologue = ""] = /^\s*(["'])use strict\1;?/.exec(code) ?? [];
  return `${prologue}require = (${asked})(require, ${byNode});${code.slice(prologue.length)}`;
}

/** Returns a module that exports each member of a JSON object by name. @throws SourceFault */
function jsonModule(path: string, text: string): string {
  const value = jsonIn(path, text);
  const isPlain = typeof value === "object" && value !== null && !Array.isArray(value);
  const names = isPlain ? Object.keys(value).filter((name) => name !== "default") : [];
  return [
    `const value = ${JSON.stringify(value)};`,
    "export default value;",
    ...names.map((name, at) => {
      const quoted = JSON.stringify(name);
      return `const _${at} = value[${quoted}]; export { _${at} as ${quoted} };`;
    }),
  ].join("\n");
}

function textModule(text: string): string {
  return `export default ${JSON.stringify(text)};`;
}

function jsonIn(path: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw notJson(path, error);
  }
}

function notJson(path: string, error: unknown): SourceFault {
  return new SourceFault(`This is not JSON: ${messageOf(error)}`, { path, line: 1, column: 1 });
}
