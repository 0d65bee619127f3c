/** Runs the program of a project in this process, as `node` would. */
import { rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { loadEnvFile } from "node:process";
import { pathToFileURL } from "node:url";
import { EngineError, hasCode, messageOf } from "../../core/base/index.js";
import { handOver } from "../internal/flags/handed-over.js";
import { bundle } from "./bundle.js";
import type { ProgramFlags } from "./flags.js";
import { standstillOf } from "./standstill.js";
import type { Source } from "./watch/messages.js";

export interface Run {
  /** Absolute path of the program's file. */
  readonly entry: string;
  /** What it finds in `process.argv` behind its own path. */
  readonly argv: readonly string[];
  /** What the engine's own flags among them say. */
  readonly flags: ProgramFlags;
  /** File with variables; those that are set already win. Default: `.env` of the current folder, where there is one. */
  readonly envFile?: string;
  /** Called with the program's own files before it runs; `failed` where it cannot be run. */
  sources?(files: readonly Source[], failed: boolean): Promise<void>;
}

/** Resolves when the program has ended. @throws what it throws */
export async function runEntry({ entry, argv, flags, envFile, sources }: Run): Promise<void> {
  loadEnv(envFile);
  setArguments(entry, { argv, flags });
  process.setSourceMapsEnabled(true);
  if (/\.[cm]?js$/.test(entry)) {
    // Node says by itself what is wrong with it.
    if (sources) await sources(await sourcesOf(entry), false);
    return standstillOf(entry, loaded(entry, entry));
  }
  const seen: Source[] = [];
  let text: string;
  try {
    text = await bundle(entry, { banner: BANNER, seen: (source) => seen.push(source) });
  } catch (error) {
    await sources?.(seen, true);
    throw error;
  }
  await sources?.(seen, false);
  await standstillOf(entry, runText(entry, text));
}

/** What a program that is run from now on sees as its arguments, and what its apps are given by them. */
export function setArguments(script: string, { argv, flags }: Pick<Run, "argv" | "flags">): void {
  process.argv = [process.execPath, script, ...argv];
  handOver(argv, flags);
}

const LOADED = Symbol.for("scope-engine/program-loaded@1");
const BANNER = `globalThis[Symbol.for(${JSON.stringify(LOADED.description)})]?.();`;

/** Where the program is loaded from in a process, and gone as soon as it is. Packages are found there as the entry would find them. */
export function loadedPath(entry: string, pid: number): string {
  return join(dirname(entry), `.${basename(entry)}.${pid}.mjs`);
}

async function sourcesOf(entry: string): Promise<readonly Source[]> {
  const seen: Source[] = [];
  await bundle(entry, { banner: "", seen: (source) => seen.push(source) }).catch(() => {});
  return seen;
}

async function runText(entry: string, text: string): Promise<void> {
  const path = loadedPath(entry, process.pid);
  const remove = (): void => rmSync(path, { force: true });
  try {
    // A process that was killed may have left one, and a link that somebody has put there would lead elsewhere.
    remove();
    await writeFile(path, text, { flag: "wx", mode: 0o600 });
  } catch (error) {
    throw unusable(`"${path}", which the program is loaded from, cannot be written`, error);
  }
  Reflect.set(globalThis, LOADED, remove);
  try {
    await loaded(path, entry);
  } finally {
    remove();
  }
}

async function loaded(path: string, entry: string): Promise<void> {
  try {
    await import(pathToFileURL(path).href);
  } catch (error) {
    throw notFound(error, path, entry) ?? error;
  }
}

/** What cannot be imported, in terms of the program's own file; undefined for any other error. */
function notFound(error: unknown, path: string, entry: string): EngineError | undefined {
  if (!hasCode(error, "ERR_MODULE_NOT_FOUND")) return undefined;
  const message = messageOf(error).replaceAll(path, entry);
  const [, name, file] = /^Cannot find package '(.+?)' imported from (.+)$/.exec(message) ?? [];
  if (name === undefined) return new EngineError("INVALID_PROGRAM", `${message}.`);
  const text = `"${file}" imports the package "${name}", which is not installed. Install it: npm install ${name}`;
  return new EngineError("PACKAGE_MISSING", text, { cause: error });
}

function loadEnv(file: string | undefined): void {
  try {
    loadEnvFile(file ?? ".env");
  } catch (error) {
    if (file === undefined && hasCode(error, "ENOENT")) return;
    throw unusable(`The file with variables, "${file ?? ".env"}", cannot be read`, error);
  }
}

function unusable(what: string, cause: unknown): EngineError {
  return new EngineError("INVALID_ARGUMENT", `${what}: ${messageOf(cause)}.`, { cause });
}
