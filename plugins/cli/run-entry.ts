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
  handOver(entry, argv, flags);
  process.setSourceMapsEnabled(true);
  const { readProgram } = await import("./typescript/read-program.js");
  const program = readProgram(entry);
  await sources?.(program.sources, program.faults !== undefined);
  if (program.faults !== undefined) {
    throw new EngineError("INVALID_PROGRAM", `"${entry}" cannot be run:\n${program.faults}`);
  }
  const seen = [...program.sources];
  program.load((source) => {
    seen.push(source);
    void sources?.([...seen], false);
  });
  await watchForDeadlock(entry, loaded(entry));
}

async function loaded(entry: string): Promise<void> {
  try {
    await import(pathToFileURL(entry).href);
  } catch (error) {
    throw (await loadFailure(error)) ?? error;
  }
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

/** Says so where the process ends while the program still waits; Node would only end it, with a code of its own. */
async function watchForDeadlock(entry: string, running: Promise<unknown>): Promise<void> {
  const onIdle = (): void => {
    // Apps that are live are ended first, and tell by themselves what they wait for.
    if (process.exitCode || [...watchedRuns()].length > 0) return;
    const message = `"${entry}" waits for something that cannot happen any more: its "await" outside of functions never comes to an end.`;
    say(describeError(new EngineError("INVALID_PROGRAM", message)));
    process.exitCode = 1;
  };
  process.on("beforeExit", onIdle);
  try {
    await running;
  } finally {
    process.off("beforeExit", onIdle);
  }
}
