/** Data about a program before it runs. It can be sent to a thread, which needs nothing else for most programs. */
import { isAbsolute } from "node:path";

/** The text for Node in place of a file's own. */
export interface Loaded {
  readonly format: "module" | "commonjs";
  readonly source: string;
  /** JSON or text, which an import may tell Node to read itself. */
  readonly isData: boolean;
}

export interface Known {
  /** URL of the program's file. All names of files here are URLs. */
  readonly entry: string;
  readonly files: ReadonlySet<string>;
  /** File of each import, by {@link importKey}; null if Node finds it itself. */
  readonly resolved: ReadonlyMap<string, string | null>;
  readonly loaded: ReadonlyMap<string, Loaded>;
  /** Line of each dynamic import of a built-in module that Node does not have, by {@link importKey}. */
  readonly missing: ReadonlyMap<string, number>;
}

export interface ResolveContext {
  readonly parentURL?: string | undefined;
}

export interface LoadContext {
  readonly conditions?: readonly string[] | undefined;
  readonly importAttributes?: Readonly<Record<string, unknown>> | undefined;
}

export function importKey(importer: string, specifier: string): string {
  return `${importer} ${specifier}`;
}

/** True if it names a file, not a package. */
export function isPath(specifier: string): boolean {
  return /^\.{0,2}[\\/]|^\.{1,2}$|^file:/.test(specifier) || isAbsolute(specifier);
}

/** True for an import of the engine. All files of a program use the program's own copy, never two in one process. */
export function isEngine(specifier: string): boolean {
  return /^scope-engine(\/|$)/.test(specifier);
}

/**
 * Returns the request to Node for an import: a file of the program imports the engine as the program's own file does.
 */
export function askedOf<T extends ResolveContext>(specifier: string, context: T, known: Known): [string, T] {
  const isOwn = isEngine(specifier) && context.parentURL !== undefined && known.files.has(context.parentURL);
  return [specifier, isOwn ? { ...context, parentURL: known.entry } : context];
}

/**
 * @throws Error if Node does not have the built-in module; it names the line in the program, which Node's own error
 * lacks
 */
export function checkBuiltin(specifier: string, importer: string, missing: Known["missing"]): void {
  const line = missing.get(importKey(importer, specifier));
  if (line === undefined) return;
  const error = Object.assign(new Error(noBuiltin(specifier)), { code: "ERR_UNKNOWN_BUILTIN_MODULE" });
  error.stack = `${error.name}: ${error.message}\n    at ${importer}:${line}`;
  throw error;
}

export function noBuiltin(specifier: string): string {
  return `Node ${process.versions.node} has no built-in module "${specifier}".`;
}

/** True if Node reads the file itself: in CommonJS, and if the import has a type attribute. */
export function isForNode({ isData }: Loaded, { conditions, importAttributes }: LoadContext): boolean {
  return isData && (importAttributes?.type !== undefined || conditions?.includes("require") === true);
}
