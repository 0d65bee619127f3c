/** Names the functions of a built file by their sources: `core/state/journal/journal.ts` has `#flush`. */
import { readFileSync } from "node:fs";
import { SourceMap } from "node:module";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** A script in V8's coverage. */
export interface CoveredScript {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    /** With coverage by function, the first range is the whole function. */
    readonly ranges: readonly { readonly startOffset: number; readonly endOffset: number; readonly count: number }[];
  }[];
}

export interface NamedFunction {
  /** Path of the source file below the repository. */
  readonly file: string;
  /** The own name, e.g. `add`; a function without a name gets that of the function around it first, e.g. `add>`. */
  readonly name: string;
  readonly calls: number;
}

/** tapable generates code that has no file. */
const GENERATED = "(generated)";
/** The bundler adds code that has no source. */
const BUNDLER = "(bundler)";
/** The bundler numbers names that several files have. */
const NUMBERED = /\$\d+$/;

export class BuiltFile {
  readonly text: string;
  readonly #path: string;
  readonly #root: string;
  readonly #map: SourceMap | undefined;
  readonly #lineStarts: readonly number[];

  /** @param root the repository that it was built from */
  constructor(url: string, root: string) {
    this.#path = fileURLToPath(url);
    this.#root = root;
    this.text = readFileSync(this.#path, "utf8");
    this.#map = mapOf(this.#path);
    this.#lineStarts = [0, ...Array.from(this.text.matchAll(/\n/g), ({ index }) => index + 1)];
  }

  /** @param line from 0, as `column` */
  sourceAt(line: number, column: number): string {
    const entry = this.#map?.findEntry(line, column);
    if (entry && "originalSource" in entry) {
      return relative(this.#root, resolve(dirname(this.#path), entry.originalSource));
    }
    // Files of dependencies that are not built in are below the repository; the build is not.
    const own = relative(this.#root, this.#path);
    return own.startsWith("..") ? BUNDLER : own;
  }

  sourceOf(offset: number): string {
    const next = this.#lineStarts.findIndex((start) => start > offset);
    const line = next === -1 ? this.#lineStarts.length - 1 : next - 1;
    return this.sourceAt(line, offset - (this.#lineStarts[line] ?? 0));
  }
}

/** The functions of a script that were called; `file` is undefined for generated code. */
export function calledFunctions({ functions }: CoveredScript, file: BuiltFile | undefined): NamedFunction[] {
  const around: { readonly end: number; readonly name: string }[] = [];
  const named: NamedFunction[] = [];
  // V8 lists them by their beginnings, so that the function around another one comes first.
  for (const { functionName, ranges } of functions) {
    const [{ startOffset, endOffset, count } = { startOffset: 0, endOffset: 0, count: 0 }] = ranges;
    while ((around.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= startOffset) around.pop();
    const name = functionName.replace(NUMBERED, "") || `${around.at(-1)?.name ?? ""}>`;
    around.push({ end: endOffset, name });
    if (count > 0) named.push({ file: file?.sourceOf(startOffset) ?? GENERATED, name, calls: count });
  }
  return named;
}

function mapOf(path: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${path}.map`, "utf8")));
  } catch (error) {
    // A file of a dependency that is not built in, or nothing but the bundler's own code.
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
