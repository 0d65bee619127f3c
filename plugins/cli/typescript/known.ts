/** What is known of a program before it runs, as data: a thread can be given it, and needs nothing else for most programs. */
import { isAbsolute } from "node:path";

/** What Node is given in place of a file's own text. */
export interface Loaded {
  readonly format: "module" | "commonjs";
  readonly source: string;
  /** JSON or text, which Node may have been told to read itself. */
  readonly isData: boolean;
}

export interface Known {
  /** Of the program's own file, as an address; so are all other names of files here. */
  readonly entry: string;
  readonly files: ReadonlySet<string>;
  /** By {@link importKey}: the file that is meant; null where Node finds it by itself. */
  readonly resolved: ReadonlyMap<string, string | null>;
  readonly loaded: ReadonlyMap<string, Loaded>;
  /** By {@link importKey}: the line of a dynamic import of a built-in module that Node does not have. */
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

/** Whether it names a file, and no package. */
export function isPath(specifier: string): boolean {
  return /^\.{0,2}[\\/]|^\.{1,2}$|^file:/.test(specifier) || isAbsolute(specifier);
}

/** Also in files that are elsewhere, the program's own copy is meant: never two in one process. */
export function isEngine(specifier: string): boolean {
  return /^scope-engine(\/|$)/.test(specifier);
}

/** What Node is asked for in place of what a file of the program asks for. */
export function askedOf<T extends ResolveContext>(specifier: string, context: T, known: Known): [string, T] {
  const isOwn = isEngine(specifier) && context.parentURL !== undefined && known.files.has(context.parentURL);
  return [specifier, isOwn ? { ...context, parentURL: known.entry } : context];
}

/** @throws Error as Node does for a built-in module that it does not have, with the place in the program, which Node's own lacks */
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

/** Whether Node reads it itself: in CommonJS, and where it was told what it is. */
export function isForNode({ isData }: Loaded, { conditions, importAttributes }: LoadContext): boolean {
  return isData && (importAttributes?.type !== undefined || conditions?.includes("require") === true);
}
