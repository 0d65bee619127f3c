/** For commands that work on a stage by itself: its program says which app it is, and where its state is. */
import type { App } from "../../core/app.js";
import { EngineError } from "../../core/errors.js";
import { setHost } from "../../core/host.js";
import { INTERNALS } from "../../core/scope/internals.js";
import { siblingOf } from "../../core/sibling.js";
import { describeError } from "../internal/describe-error.js";
import { exitCodeOf } from "../internal/exit-code.js";
import { findEntry } from "./entry.js";
import { endProcess, keepStdout, say } from "./output.js";
import { runEntry } from "./run-entry.js";

/** Where the stage is. */
export interface Where {
  /** File of the program. Default: the one in the current folder. */
  readonly entry?: string;
  /** Another app in the same store; without a program, an app whose state is in files. */
  readonly app?: string;
  readonly envFile?: string;
  /** The engine's own flags, such as `--stage=prod`. */
  readonly argv: readonly string[];
}

/** Resolves with the exit code of the process. */
export type StageWork = (app: App) => Promise<number> | Promise<void>;

/**
 * Runs the program as far as its first `engine()`, does the work instead, and ends the process. The app is not opened: no state is
 * loaded, no lock taken. Never resolves; failures are told on stderr, and make the exit code.
 */
export async function openStage(where: Where, work: StageWork): Promise<never> {
  keepStdout();
  let isReached = false;
  const opening = async (app: App): Promise<never> => {
    if (isReached) return new Promise<never>(() => {});
    isReached = true;
    return end(async () => work(named(app, where.app)));
  };
  setHost({ opening: (root) => opening(root[INTERNALS].app) });
  return end(async () => {
    await reach(where);
    if (isReached) return new Promise<never>(() => {});
    throw new EngineError(
      "INVALID_PROGRAM",
      `"${where.entry ?? "The program"}" has ended, and opened no app: it never called engine().`,
    );
  });
}

/** The app that was asked for, with all that the program's first one was given. */
function named(app: App, name: string | undefined): App {
  return name === undefined || name === app.root.appName ? app : siblingOf(app, name, { phase: app.options.phase });
}

async function reach({ entry: file, app, envFile, argv }: Where): Promise<void> {
  const entry = findEntry(file);
  if (entry !== undefined) {
    // A program that waits for ever says so by this.
    process.once("beforeExit", () => void 0);
    return runEntry({ entry, argv, envFile });
  }
  if (app === undefined) {
    throw new EngineError(
      "INVALID_ARGUMENT",
      `There is no engine.run.ts in "${process.cwd()}". Name the program with --entry, or with --app an app whose state is in files here.`,
    );
  }
  const { engine } = await import("../index.js");
  process.argv = [process.execPath, "engine", ...argv];
  await engine(app);
}

async function end(work: () => Promise<number | void>): Promise<never> {
  try {
    return await endProcess((await work()) ?? 0);
  } catch (error) {
    say(describeError(error));
    // A signal has said how the process ends.
    return endProcess(Number(process.exitCode) || exitCodeOf([error]));
  }
}
