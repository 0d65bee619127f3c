/** Compiles the files of a program. What has not changed since the last run is not compiled again, and Babel not even loaded. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type ImportSpecifier, initSync, parse } from "es-module-lexer/minimal";
import { messageOf, ownVersion, replaceFile } from "../../../core/base/index.js";
import { type Compiled, type Import, loadBuilt, SourceFault, type SourceText } from "./compiled.js";

type Babel = typeof import("./babel.js");

/** What became of a text. */
interface Kept<T> {
  readonly hash: string;
  readonly made: T;
}

/** By path. */
export interface Memory {
  readonly compiled: Record<string, Kept<Compiled>>;
  readonly imports: Record<string, Kept<readonly Import[]>>;
}

export class Compiler {
  readonly #file: string | undefined;
  readonly #last: Memory;
  readonly #now: Memory = { compiled: {}, imports: {} };
  #isNew = false;

  /** @param entry the program's; what is compiled is kept in the nearest `node_modules/.cache` above it, where there is one */
  constructor(entry: string, memory?: Memory) {
    this.#file = memoryFile(entry);
    this.#last = memory ?? memoryIn(this.#file);
  }

  /** What was made, or taken from the last run, until now. */
  get memory(): Memory {
    return this.#now;
  }

  /** @throws SourceFault */
  compile(source: SourceText): Compiled {
    const { path, text, settings } = source;
    return this.#once("compiled", path, text + JSON.stringify(settings), () => compiled(source));
  }

  /** Of a file that Node loads as it is. */
  importsIn(path: string, text: string): ModuleImports {
    const seen = moduleImports(text);
    if (seen) return seen;
    return { imports: this.#once("imports", path, text, () => babel().importsIn(path, text)), isComplete: false };
  }

  /** For the next run. */
  save(): void {
    if (this.#file === undefined || !this.#isNew) return;
    this.#isNew = false;
    try {
      replaceFile(this.#file, JSON.stringify({ maker: maker(), ...this.#now }), { flush: false });
    } catch {
      // A folder that cannot be written to: then the next run compiles them again.
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
    // Babel puts its own in their place for the whole process. It makes the engine's look at a stack fail on Bun.
    if (Error.prepareStackTrace !== prepareStackTrace) Error.prepareStackTrace = prepareStackTrace;
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Undefined where it is not the source that is wrong. */
function faultOf({ path }: SourceText, error: unknown): SourceFault | undefined {
  const { loc, code } = Object(error);
  const [said = "", ...frame] = messageOf(error).split("\n");
  const place = typeof loc?.line === "number" ? { line: loc.line, column: loc.column + 1 } : placeIn(frame);
  if (!place || !String(code).startsWith("BABEL_")) return undefined;
  // The line itself is shown with all faults alike.
  const message = said.replace(`${path}: `, "").replace(/ \(\d+:\d+\)$/, "");
  return new SourceFault(message, { path, ...place });
}

/** What Babel tells of some faults only by a picture: `> 6 | source`, and a `^` below its place. */
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

/** What another version has made is made again. */
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
    // Not there, or not whole.
  }
  return { compiled: {}, imports: {} };
}

/** The imports of an ES module that Node reads as it is, by a lexer: a compiler takes many times as long to be loaded alone. */
interface ModuleImports {
  readonly imports: readonly Import[];
  /** False where the module may import what nobody can see before it runs. */
  readonly isComplete: boolean;
}

/** By what a file can be loaded besides an import. */
const OTHER_WAYS = /\b(require|createRequire|eval|Function)\b|\bmeta\s*\.\s*resolve\b/;

/** @returns undefined where that is to be left to a compiler: it is no module, or one that can load files in other ways */
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

/** `d` of what is no import, but `import.meta`; of an `import` statement it is -1. */
const IN_META = -2;

function importOf(text: string, { n: specifier, s, d }: ImportSpecifier): readonly Import[] {
  if (specifier === undefined) return [];
  const isLate = d >= 0;
  // Of a statement, what stands between the quotes is given; of an expression, with them.
  const before = text.slice(0, isLate ? s : s - 1).split(/\r\n|[\n\r\u2028\u2029]/);
  return [{ specifier, isLate, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }];
}
