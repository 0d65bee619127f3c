/** Runs the program once more, in a process of its own, where another run was quicker than this one. */
import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { monotonicNow } from "../../core/base/index.js";
import { INTERNALS, type Scope } from "../../core/contract/index.js";
import { written } from "../internal/flags/table.js";
import { endWith } from "../internal/process-watch.js";
import { say } from "./output.js";
import type { Run } from "./run-entry.js";

/** What this process was started by: where this file is once it is built, only the build knows. */
const MAIN = process.argv[1] ?? "";

/**
 * Tells for each app whether its program is run again, and sees to that. Not where the program has opened several: one of them
 * may have changed something.
 *
 * @param command of the `engine` program
 */
export function repeating(command: string, run: () => Run): { opened(): void; repeats(root: Scope): boolean } {
  const began = monotonicNow();
  let opened = 0;
  return {
    opened: () => void opened++,
    repeats(root) {
      const left = root[INTERNALS].options.lockTimeout - (monotonicNow() - began);
      if (opened !== 1 || left <= 0) return false;
      endWith(successorOf(command, run(), left));
      return true;
    },
  };
}

function successorOf(command: string, { entry, argv, envFile }: Run, lockTimeout: number) {
  let child: ChildProcess | undefined;
  const ends = argv.includes("--") ? argv.indexOf("--") : argv.length;
  const args = [
    ...[command, entry, ...argv.slice(0, ends)],
    ...[written("lock", "eager"), written("lock-timeout", `${Math.ceil(lockTimeout)}ms`)],
    ...(envFile === undefined ? [] : [written("env-file", envFile)]),
    ...argv.slice(ends),
  ];
  return {
    start: () =>
      new Promise<number>((resolve) => {
        const started = spawn(process.execPath, [...process.execArgv, MAIN, ...args], { stdio: "inherit" });
        child = started;
        started.on("exit", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
        started.on("error", (error) => {
          say(`the program cannot be run again: ${error.message}`);
          resolve(1);
        });
      }),
    signal(signal: NodeJS.Signals) {
      // What is typed at a terminal reaches both.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child?.kill(signal);
    },
  };
}
