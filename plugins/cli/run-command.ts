/** Defines commands that run the program of a project. */

import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { constants } from "node:os";
import type { Command } from "commander";
import { EngineError, monotonicNow, type Phase, type PlatformName } from "../../core/base/index.js";
import { INTERNALS, type Scope } from "../../core/contract/index.js";
import { setHost } from "../../core/plugin/index.js";
import { BESIDE } from "../internal/flags/commands.js";
import { written } from "../internal/flags/table.js";
import { endWith, type Successor } from "../internal/process/process-watch.js";
import { describeError } from "../internal/text/describe-error.js";
import { entryOf } from "./entry.js";
import { addFlags, programFlags } from "./flags.js";
import { eventsIn, keepEvents } from "./kept-events.js";
import { say } from "./output.js";
import { pageBeside } from "./page-beside.js";
import { checkReached, checkStage, neverOpened } from "./reached.js";
import { type Run, runEntry } from "./run-entry.js";
import { warnOfStateBeside } from "./state-beside.js";
import { marked, type SessionSignal } from "./watch/messages.js";
import { obeyPredecessor } from "./watch/relayed-signals.js";

export type Given = Readonly<Record<string, unknown>>;

export interface RunCommand {
  readonly aliases?: readonly string[];
  readonly summary: string;
  /** Arguments after `--`, for the program. */
  readonly rest: readonly string[];
  /** Returns the phase that the program's apps must have. Default: `"up"`. */
  asked?(given: Given): Phase | "plan";
  /** Runs the program. Default: in this process. */
  run?(run: Run, given: Given): Promise<void>;
  /** Runs the program again if another run was first. */
  readonly repeats?: true;
  /** Called with each app before it opens. */
  opening?(root: Scope, given: Given): Promise<void> | void;
}

/** Turns a summary into a description. */
export function sentenceOf(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

/** Adds a command that takes the program's file. */
export function runCommand(program: Command, name: string, what: RunCommand): Command {
  const command = program
    .command(`${name} [entry]`)
    .aliases([...(what.aliases ?? [])])
    .summary(what.summary)
    .description(sentenceOf(what.summary))
    .usage("[entry] [options] [-- arguments of the program]");
  addFlags(command);
  return command.action(async (file: string | undefined, given: Given) => {
    obeyPredecessor();
    const flags = programFlags(command);
    const asked = what.asked?.(given) ?? "up";
    let isOpened = false;
    const again = repeating(name, () => run, isKept(name) ? eventsIn(given) : undefined);
    setHost({
      ...(what.repeats ? { repeats: again.repeats } : {}),
      async opening(root) {
        isOpened = true;
        again.opened();
        checkAsked(root, asked);
        checkReached(root, flags.words);
        // A run in the phase read changes nothing, so a program may read other stages.
        if (root.phase !== "read" || asked === "read") checkStage(root, flags);
        await warnOfStateBeside(root, run.entry);
        await pageBeside(root, given);
        if (isKept(name)) await keepEvents(root, given);
        await what.opening?.(root, given);
      },
    });
    const run: Run = {
      entry: entryOf(file),
      argv: what.rest.length > 0 ? [...flags.words, "--", ...what.rest] : flags.words,
      flags,
      envFile: typeof given.envFile === "string" ? given.envFile : undefined,
    };
    if (what.run) return what.run(run, given);
    const { main } = await runEntry(run);
    // Not earlier: the program may still open an app. One that calls process.exit(), e.g. after a help text, is not
    // checked.
    process.once("beforeExit", () => {
      if (isOpened || process.exitCode) return;
      say(describeError(neverOpened(run.entry, { main, command: name, file })));
      process.exitCode = 1;
    });
  });
}

/**
 * Refuses an app whose program sets the phase or the arguments itself, and so does something else than the command.
 *
 * @throws EngineError `INVALID_PROGRAM`
 */
export function checkAsked(root: Scope, asked: Phase | "plan"): void {
  const { plan } = root[INTERNALS].options;
  const does = plan ? "plan" : root.phase;
  if (does === asked || root.phase === "read") return;
  throw new EngineError(
    "INVALID_PROGRAM",
    `You asked for "${asked}", but the program sets the option "phase", "plan" or "argv" itself and would open "${root.chain.join("/")}" for "${does}". Nothing was opened. Remove that option from the program.`,
  );
}

/** Returns true for a command that can keep the events of its run. */
function isKept(command: string): boolean {
  return BESIDE.some((one) => one === command);
}

/** Path of this command's script. It cannot be derived from the path of this file, which depends on the build. */
const MAIN = process.argv[1] ?? "";

/**
 * Decides for an app whether its program is run again, and starts the new process. A program that opened several apps
 * is not run again, because one of them may have changed something.
 *
 * @param command of the `engine` program
 */
function repeating(
  command: string,
  run: () => Run,
  events: string | undefined,
): { opened(): void; repeats(root: Scope): boolean } {
  const began = monotonicNow();
  let opened = 0;
  return {
    opened: () => void opened++,
    repeats(root) {
      const left = root[INTERNALS].options.lockTimeout - (monotonicNow() - began);
      if (opened !== 1 || left <= 0) return false;
      endWith(successorOf(command, { ...run(), events }, left));
      return true;
    },
  };
}

interface Repeated extends Run {
  readonly events: string | undefined;
}

function successorOf(command: string, { entry, argv, envFile, events }: Repeated, lockTimeout: number): Successor {
  const ends = argv.includes("--") ? argv.indexOf("--") : argv.length;
  const args = [
    ...[command, entry, ...argv.slice(0, ends)],
    ...[written("lock", "eager"), written("lock-timeout", `${Math.ceil(lockTimeout)}ms`)],
    ...(envFile === undefined ? [] : [written("env-file", envFile)]),
    ...(events === undefined ? [] : [written("events", events)]),
    ...argv.slice(ends),
  ];
  return successor([...process.execArgv, MAIN, ...args]);
}

/** @param args arguments of Node */
export function successor(args: readonly string[], platform: PlatformName = process.platform): Successor {
  const isTold = platform === "win32";
  const counts = new Map<SessionSignal, number>();
  let child: ChildProcess | undefined;
  return {
    start: () =>
      new Promise<number>((resolve) => {
        const stdio: StdioOptions = ["inherit", "inherit", "inherit", ...(isTold ? (["ipc"] as const) : [])];
        const started = spawn(process.execPath, args, { stdio });
        child = started;
        started.on("exit", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
        started.on("error", (error) => {
          // A message could not be sent, which means that the process has ended.
          if (started.pid !== undefined) return;
          say(`the program could not be run again: ${error.message}`);
          resolve(1);
        });
      }),
    signal(signal) {
      if (isTold) return tell(signal);
      // A Ctrl-C on the terminal reaches both processes.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child?.kill(signal);
    },
  };

  /** Sends a message in place of the signal, which would end the process at once on Windows. */
  function tell(signal: SessionSignal): void {
    const count = (counts.get(signal) ?? 0) + 1;
    counts.set(signal, count);
    if (child?.connected) child.send(marked({ type: "signal", signal, count }), () => {});
  }
}
