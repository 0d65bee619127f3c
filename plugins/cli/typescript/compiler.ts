/**
 * Compiles the files of a program. Files that have not changed since the last run come from a cache, without loading
 * Babel.
 */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ImportSpecifier, initSync, parse } from "es-module-lexer/minimal";
import { messageOf, ownVersion, replaceFile } from "../../../core/base/index.js";
import { type Compiled, type Import, loadBuilt, SourceFault, type SourceText } from "./compiled.js";

type Babel = typeof import("./babel.js");

/** A cached result for a text. */
interface Kept<T> {
  readonly hash: string;
  readonly made: T;
}

/** Cached results by path. */
export interface Memory {
  readonly compiled: Record<string, Kept<Compiled>>;
  readonly imports: Record<string, Kept<readonly Import[]>>;
}

export class Compiler {
  readonly #file: string | undefined;
  readonly #last: Memory;
  readonly #now: Memory = { compiled: {}, imports: {} };
  #isNew = false;

  /**
   * @param entry file of the program; results are kept in the nearest `node_modules/.cache` above it, if there is one
   */
  constructor(entry: string, memory?: Memory) {
    this.#file = memoryFile(entry);
    this.#last = memory ?? memoryIn(this.#file);
  }

  /** Results of this run, compiled or taken from the last run. */
  get memory(): Memory {
    return this.#now;
  }

  /** @throws SourceFault */
  compile(source: SourceText): Compiled {
    const { path, text, settings } = source;
    return this.#once("compiled", path, text + JSON.stringify(settings), () => compiled(source));
  }

  /** Returns the imports of a file that Node loads without compiling. */
  importsIn(path: string, text: string): ModuleImports {
    const seen = moduleImports(text);
    if (seen) return seen;
    return { imports: this.#once("imports", path, text, () => babel().importsIn(path, text)), isComplete: false };
  }

  /** Saves the results for the next run. */
  save(): void {
    if (this.#file === undefined || !this.#isNew) return;
    this.#isNew = false;
    try {
      replaceFile(this.#file, JSON.stringify({ maker: maker(), ...this.#now }), { flush: false });
    } catch {
      // The folder is not writable, so the next run compiles again.
    }
  }

  #once<K extends keyof Memory>(
    kind: K,
    path: string,
    text: string,
    make: () => Memory[K][string]["made"],
  ): Memory[K][string]["made"] {
    const hash = createHash("sha256").update(text).digest("base64url");
    const last = this.#now[kind][path] ?? this.#last[kind][path];
    const isSame = last?.hash === hash;
    const kept = isSame ? last : { hash, made: make() };
    this.#isNew ||= !isSame;
    Object.assign(this.#now[kind], { [path]: kept });
    return kept.made;
  }
}

function compiled(source: SourceText): Compiled {
  const { prepareStackTrace, stackTraceLimit } = Error;
  try {
    return babel().compileSync(source);
  } catch (error) {
    throw faultOf(source, error) ?? error;
  } finally {
    // Babel replaces them for the whole process, and on Bun its version breaks how the engine reads stacks.
    if (Error.prepareStackTrace !== prepareStackTrace) Error.prepareStackTrace = prepareStackTrace;
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Returns undefined if the fault is not in the source. */
function faultOf({ path }: SourceText, error: unknown): SourceFault | undefined {
  const { loc, code } = Object(error);
  const [said = "", ...frame] = messageOf(error).split("\n");
  const place = typeof loc?.line === "number" ? { line: loc.line, column: loc.column + 1 } : placeIn(frame);
  if (!place || !String(code).startsWith("BABEL_")) return undefined;
  // faultsText() shows the line for all faults.
  const message = said.replace(`${path}: `, "").replace(/ \(\d+:\d+\)$/, "");
  return new SourceFault(message, { path, ...place });
}

/** Parses a position that Babel reports only as a code frame: `> 6 | source`, and a `^` in the next line. */
function placeIn(frame: readonly string[]): { readonly line: number; readonly column: number } | undefined {
  const at = frame.findIndex((line) => /^> +\d+ \|/.test(line));
  const [prefix = "", line] = /^> +(\d+) \| ?/.exec(frame[at] ?? "") ?? [];
  if (line === undefined) return undefined;
  const mark = frame[at + 1]?.indexOf("^") ?? -1;
  return { line: Number(line), column: Math.max(1, mark - prefix.length + 1) };
}

function babel(): Babel {
  return loadBuilt<Babel>("babel");
}

/** Identifies the version that wrote the cache; the cache of another version is ignored. */
function maker(): string {
  return `${ownVersion()} of 2`;
}

function memoryFile(entry: string): string | undefined {
  for (let folder = dirname(entry); ; folder = dirname(folder)) {
    if (existsSync(join(folder, "node_modules"))) {
      const name = createHash("sha256").update(entry).digest("hex").slice(0, 16);
      return join(folder, "node_modules/.cache/scope-engine", `program-${name}.json`);
    }
    if (dirname(folder) === folder) return undefined;
  }
}

function memoryIn(file: string | undefined): Memory {
  try {
    const memory = file === undefined ? undefined : JSON.parse(readFileSync(file, "utf8"));
    if (memory?.maker === maker()) return { compiled: { ...memory.compiled }, imports: { ...memory.imports } };
  } catch {
    // The file is missing or incomplete.
  }
  return { compiled: {}, imports: {} };
}

/**
 * The imports of an ES module that Node loads without compiling. A lexer finds them, because a compiler is slow to
 * load.
 */
interface ModuleImports {
  readonly imports: readonly Import[];
  /** False if the module may import files that are known only when it runs. */
  readonly isComplete: boolean;
}

/** Ways to load a file other than an import. */
const OTHER_WAYS = /\b(require|createRequire|eval|Function)\b|\bmeta\s*\.\s*resolve\b/;

/** @returns undefined if a compiler is needed: the text is not a module, or it can load files in other ways */
export function moduleImports(text: string): ModuleImports | undefined {
  if (OTHER_WAYS.test(text)) return undefined;
  try {
    initSync();
    const [found] = parse(text);
    const asked = found.filter(({ d }) => d !== IN_META);
    return {
      imports: asked.flatMap((one) => importOf(text, one)),
      isComplete: asked.every(({ n }) => n !== undefined),
    };
  } catch {
    return undefined;
  }
}

/** `d` of `import.meta`, which is not an import; `d` of an `import` statement is -1. */
const IN_META = -2;

function importOf(text: string, { n: specifier, s, d }: ImportSpecifier): readonly Import[] {
  if (specifier === undefined) return [];
  const isLate = d >= 0;
  // For a statement, `s` is after the opening quote; for an expression, at the quote.
  const before = text.slice(0, isLate ? s : s - 1).split(/\r\n|[\n\r\u2028\u2029]/);
  return [{ specifier, isLate, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }];
}
