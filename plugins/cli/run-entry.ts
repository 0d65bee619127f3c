/** Runs the program of a project in this process, as `node` would. */
import { rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { loadEnvFile } from "node:process";
import { pathToFileURL } from "node:url";
import { EngineError, messageOf } from "../../core/errors.js";
import { bundle } from "./bundle.js";

export interface Run {
  /** Absolute path of the program's file. */
  readonly entry: string;
  /** What it finds in `process.argv` behind its own path. */
  readonly argv: readonly string[];
  /** File with variables; those that are set already win. Default: `.env` of the current folder, where there is one. */
  readonly envFile?: string;
  /** Called with the program's own files, before it runs. */
  sources?(files: readonly string[]): void;
}

const LOADED = Symbol.for("scope-engine/program-loaded@1");

/** Resolves when the program has ended. @throws what it throws */
export async function runEntry({ entry, argv, envFile, sources }: Run): Promise<void> {
  loadEnv(envFile);
  process.argv = [process.execPath, entry, ...argv];
  process.setSourceMapsEnabled(true);
  const isScript = /\.[cm]?js$/.test(entry);
  if (isScript && !sources) await import(pathToFileURL(entry).href);
  else {
    const { text, inputs } = await bundle(entry, `globalThis[Symbol.for(${JSON.stringify(LOADED.description)})]?.();`);
    sources?.(inputs);
    if (isScript) await import(pathToFileURL(entry).href);
    else await runText(entry, text);
  }
}

/** Beside the entry, where packages are found as the entry would find them; gone as soon as it is loaded. */
async function runText(entry: string, text: string): Promise<void> {
  const path = join(dirname(entry), `.${basename(entry)}.${process.pid}.mjs`);
  const remove = (): void => rmSync(path, { force: true });
  try {
    await writeFile(path, text);
  } catch (error) {
    throw unusable(`"${path}", which the program is loaded from, cannot be written`, error);
  }
  Reflect.set(globalThis, LOADED, remove);
  try {
    await import(pathToFileURL(path).href);
  } finally {
    remove();
  }
}

function loadEnv(file: string | undefined): void {
  try {
    loadEnvFile(file ?? ".env");
  } catch (error) {
    if (file === undefined && Reflect.get(Object(error), "code") === "ENOENT") return;
    throw unusable(`The file with variables, "${file ?? ".env"}", cannot be read`, error);
  }
}

function unusable(what: string, cause: unknown): EngineError {
  return new EngineError("INVALID_ARGUMENT", `${what}: ${messageOf(cause)}.`, { cause });
}
