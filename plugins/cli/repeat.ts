/** Runs the program once more, in a process of its own, where another run was quicker than this one. */
import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { constants } from "node:os";
import { monotonicNow, type PlatformName } from "../../core/base/index.js";
import { INTERNALS, type Scope } from "../../core/contract/index.js";
import { written } from "../internal/flags/table.js";
import { endWith, type Successor } from "../internal/process-watch.js";
import { say } from "./output.js";
import type { Run } from "./run-entry.js";
import { marked, type SessionSignal } from "./watch/messages.js";

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

function successorOf(command: string, { entry, argv, envFile }: Run, lockTimeout: number): Successor {
  const ends = argv.includes("--") ? argv.indexOf("--") : argv.length;
  const args = [
    ...[command, entry, ...argv.slice(0, ends)],
    ...[written("lock", "eager"), written("lock-timeout", `${Math.ceil(lockTimeout)}ms`)],
    ...(envFile === undefined ? [] : [written("env-file", envFile)]),
    ...argv.slice(ends),
  ];
  return successor([...process.execArgv, MAIN, ...args]);
}

/** @param args of Node */
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
          // What could not be sent to it is of no interest: then it has ended.
          if (started.pid !== undefined) return;
          say(`the program cannot be run again: ${error.message}`);
          resolve(1);
        });
      }),
    signal(signal) {
      if (isTold) return tell(signal);
      // What is typed at a terminal reaches both.
      if (signal !== "SIGINT" || !process.stdin.isTTY) child?.kill(signal);
    },
  };

  /** A signal would end it at once there. */
  function tell(signal: SessionSignal): void {
    const count = (counts.get(signal) ?? 0) + 1;
    counts.set(signal, count);
    if (child?.connected) child.send(marked({ type: "signal", signal, count }), () => {});
  }
}
