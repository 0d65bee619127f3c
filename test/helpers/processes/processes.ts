/** Real processes, and folders for their records. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach } from "vitest";
import { isOver, statOf } from "../../../core/base/index.js";
import { listProcesses, stopProcess } from "../../../plugins/processes/kept/list.js";
import { until } from "../time/until.ts";

/** Node with a program, as a list for exec and as members for spawn. */
export function node(script: string): { readonly command: string; readonly args: readonly string[] } {
  return { command: process.execPath, args: ["-e", script] };
}

/** Prints its pid, and lives until it is ended. A shell starts in a hundredth of the time of Node. */
export const server = { command: "sh", args: ["-c", "echo listening $$; exec sleep 1000"] } as const;

/** The pid that a server prints. */
export function extract(line: string): string | undefined {
  return /^listening (\d+)$/.exec(line)?.[1];
}

/**
 * True while it runs. A dead process that waits for its parent does not run. One whose first thread has ended while
 * others still run does; the engine uses the same definition.
 */
export function isAlive(pid: number): boolean {
  const stat = statOf(pid);
  return stat !== undefined && !isOver(stat);
}

/** The number that a program writes into a file. */
export async function pidIn(path: string): Promise<number> {
  const written = (): Promise<string> => readFile(path, "utf8").catch(() => "");
  return Number(await until(written, (text) => text.endsWith("\n")));
}

/**
 * Folders that are removed when their test ends, with all processes that are recorded in them. Call it before
 * `testApps`: the last registered cleanup runs first.
 */
export function roots(): () => Promise<string> {
  const made: string[] = [];
  afterEach(async () => {
    for (const root of made.splice(0)) {
      for (const one of await listProcesses(root)) await stopProcess(one);
      await rm(root, { recursive: true, force: true });
    }
  });
  return async () => {
    const root = await realpath(await mkdtemp(join(tmpdir(), "scope-engine-processes-")));
    made.push(root);
    return root;
  };
}

/** A process that belongs to no run, until the function has ended. */
export async function withStranger(
  use: (stranger: ChildProcess & { readonly pid: number }) => Promise<void>,
): Promise<void> {
  const child = spawn("sleep", ["1000"], { stdio: "ignore", detached: true });
  await once(child, "spawn");
  try {
    await use(Object.assign(child, { pid: child.pid ?? 0 }));
  } finally {
    child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  }
}
