/** A program that runs for as long as a test needs it. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";

export interface Resident {
  readonly pid: number;
  readonly name: string;
  /** Resolves with its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>;
  /** True while it runs. */
  readonly alive: boolean;
  /** Its output so far. */
  said(): Promise<string>;
  /** Ends it at once, as a SIGKILL does; resolves when it is gone. */
  kill(): Promise<void>;
  /** Lets this process end without it. */
  unref(): void;
}

/** A child that has been spawned, and prints into the file `log`. */
export function residentOf(child: ChildProcess, name: string, log: string): Resident {
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
  const ended = once(child, "exit").then((): number | string => child.exitCode ?? child.signalCode ?? "nothing");
  return {
    pid: child.pid ?? 0,
    name,
    ended,
    get alive() {
      return isAlive();
    },
    said: () => readFile(log, "utf8"),
    kill: async () => {
      child.ref();
      if (isAlive()) child.kill("SIGKILL");
      await ended;
    },
    unref: () => child.unref(),
  };
}
