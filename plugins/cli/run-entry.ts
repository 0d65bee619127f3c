/** Runs the program of a project in this process, as `node` would. */
import { loadEnvFile } from "node:process";
import { pathToFileURL } from "node:url";
import { EngineError, hasCode, messageOf } from "../../core/base/index.js";
import { handOver } from "../internal/flags/handed-over.js";
import { watchedRuns } from "../internal/process/process-watch.js";
import { describeError } from "../internal/text/describe-error.js";
import type { ProgramFlags } from "./flags.js";
import { loadFailure } from "./load-failure.js";
import { say } from "./output.js";
import type { Source } from "./watch/messages.js";

export interface Run {
  /** Absolute path of the program's file. */
  readonly entry: string;
  /** Arguments in `process.argv` after its own path. */
  readonly argv: readonly string[];
  /** Meaning of the engine's own flags among them. */
  readonly flags: ProgramFlags;
  /** File with variables; those that are set already win. Default: `.env` of the current folder, if it exists. */
  readonly envFile?: string;
  /** Called with the program's own files before it runs; `failed` is true if it cannot be run. */
  sources?(files: readonly Source[], failed: boolean): Promise<void>;
}

/** The program's main file after it ran. */
export interface RanEntry {
  /** Its default export. */
  readonly main: unknown;
  /** The program's own files that it imports statically, and missing ones. */
  readonly sources: readonly Source[];
}

/** Resolves when the program has ended. @throws the error of the program */
export async function runEntry({ entry, argv, flags, envFile, sources }: Run): Promise<RanEntry> {
  loadEnv(envFile);
  handOver(entry, argv, flags);
  process.setSourceMapsEnabled(true);
  const { readProgram } = await import("./typescript/read-program.js");
  const program = readProgram(entry);
  await sources?.(program.sources, program.faults !== undefined);
  if (program.faults !== undefined) {
    throw new EngineError("INVALID_PROGRAM", `"${entry}" could not be run:\n${program.faults}`);
  }
  const seen = [...program.sources];
  program.load((source) => {
    seen.push(source);
    void sources?.([...seen], false);
  });
  const { main } = await watchForDeadlock(entry, loaded(entry));
  return { main, sources: program.sources };
}

/** Returns the default export as a member: it may be a promise, which is not awaited. */
async function loaded(entry: string): Promise<Pick<RanEntry, "main">> {
  try {
    const { default: main }: { readonly default?: unknown } = await import(pathToFileURL(entry).href);
    // In CommonJS, the compiled default export is a member of the default export.
    return { main: Object(main).__esModule ? Object(main).default : main };
  } catch (error) {
    throw (await loadFailure(error)) ?? error;
  }
}

/** Loads variables that are not set yet. @throws EngineError `INVALID_ARGUMENT` */
export function loadEnv(file: string | undefined): void {
  try {
    loadEnvFile(file ?? ".env");
  } catch (error) {
    if (file === undefined && hasCode(error, "ENOENT")) return;
    throw unusable(`Could not read the file with environment variables, "${file ?? ".env"}"`, error);
  }
}

function unusable(what: string, cause: unknown): EngineError {
  return new EngineError("INVALID_ARGUMENT", `${what}: ${messageOf(cause)}.`, { cause });
}

/** Reports a top-level `await` that can never settle; Node would only end the process with its own code. */
async function watchForDeadlock<T>(entry: string, running: Promise<T>): Promise<T> {
  const onIdle = (): void => {
    // Live apps are ended first, and report themselves what they wait for.
    if (process.exitCode || [...watchedRuns()].length > 0) return;
    const message = `"${entry}" waits forever: a top-level "await" can never settle, because nothing is left to run.`;
    say(describeError(new EngineError("INVALID_PROGRAM", message)));
    process.exitCode = 1;
  };
  process.on("beforeExit", onIdle);
  try {
    return await running;
  } finally {
    process.off("beforeExit", onIdle);
  }
}
