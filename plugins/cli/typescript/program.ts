/** The program of a project: its own files, found before anything of it runs, and made loadable for Node. */
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
  /** Undefined where Node reads the file itself. */
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
   * @param memory what was compiled of its files already; default: what the last run has left
   */
  constructor(entry: string, memory?: Memory) {
    // As Node names it, whatever links lead there.
    this.entry = realpathSync(entry);
    this.#compiler = new Compiler(entry, memory);
    this.#files.add(urlOf(this.entry));
  }

  /** Finds all that the program can be seen to import. @throws EngineError `INVALID_PROGRAM` for a tsconfig.json that is none */
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

  /** In their order; empty where the program can be run. */
  get faults(): readonly SourceFault[] {
    return this.#faults;
  }

  /** Whether Node finds and reads all of it by itself, whatever it comes to while it runs. */
  get isPlain(): boolean {
    return this.#isPlain;
  }

  /** Its own files, and those that it looks for and that are not there. */
  get sources(): readonly Source[] {
    return [...this.#seen.values()];
  }

  /** The file that is meant by an import in a file of the program; undefined where Node finds it by itself. @throws Error as {@link checkBuiltin} */
  resolve(specifier: string, importer: string | undefined): string | undefined {
    if (importer === undefined || !this.#files.has(importer)) return undefined;
    checkBuiltin(specifier, importer, this.#missing);
    const known = this.#resolved.get(importKey(importer, specifier));
    // What was not there may have been made since.
    return known ?? this.#find(specifier, fileURLToPath(importer));
  }

  /** As the file was when it was first read. @throws SourceFault, and as {@link read} */
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
    // The module may define kinds of which resources are recorded, after the last line that used it is gone.
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
    // The engine is another copy there, perhaps, than the one that is meant.
    if (isEngine(specifier) ? importer !== this.entry : url !== urlForNode(specifier, importer)) this.#isPlain = false;
    if (url !== undefined) return url;
    const meant = isPath(specifier) ? [pathMeant(specifier, importer)] : this.#resolver.lost(specifier, importer);
    if (specifier.startsWith("node:") && !isBuiltin(specifier)) {
      if (isLate) this.#missing.set(importKey(urlOf(importer), specifier), line);
      else this.#faults.push(new SourceFault(noBuiltin(specifier), { path: importer, line, column }));
      this.#isPlain = false;
      return undefined;
    }
    // Node says better which package it cannot find.
    if (meant.length === 0) return undefined;
    this.#isPlain = false;
    // Once it is made, the program may be whole.
    for (const name of meant.flatMap(namesFor)) this.#see(name);
    if (!isLate && kindOf(importer) === "source") {
      this.#faults.push(new SourceFault(lostText(specifier, meant), { path: importer, line, column }));
    }
    return undefined;
  }

  /** Notes what is a file of the program. */
  #find(specifier: string, importer: string): string | undefined {
    if (isEngine(specifier)) return undefined;
    // What follows is a part of the module's name alone: each is one of its own.
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

/** What Node takes an import for; undefined for a package, which it has to find. */
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
 * The code, in which `require` has the engine loaded as by a file that Node reads itself. On its first line, so that all stays on its own.
 *
 * @param entry the program's file, whose engine is the one
 */
function requiringEngine(code: string, entry: string): string {
  const byNode = `process.getBuiltinModule("node:module").createRequire(${JSON.stringify(entry)})`;
  const asked = `(own, byNode) => Object.assign((name) => (/^scope-engine(\\/|$)/.test(name) ? byNode : own)(name), own)`;
  const [prologue = ""] = /^\s*(["'])use strict\1;?/.exec(code) ?? [];
  return `${prologue}require = (${asked})(require, ${byNode});${code.slice(prologue.length)}`;
}

/** With a name for each member. @throws SourceFault */
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
  return new SourceFault(`This is no JSON: ${messageOf(error)}`, { path, line: 1, column: 1 });
}
