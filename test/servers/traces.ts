/** Processes and folders that a server leaves on the machine. */
import { existsSync, readFileSync } from "node:fs";

export interface Traceable {
  readonly pids: readonly number[];
  readonly folder: string;
}

/** The processes that still run, and the folder if it exists. */
export function traces({ pids, folder }: Traceable): string[] {
  const running = pids.filter(runs).map((pid) => `process ${pid}`);
  return existsSync(folder) ? [...running, folder] : running;
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  return !isZombie(pid);
}

/** It has ended, but its parent has not collected its status. */
function isZombie(pid: number): boolean {
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) && readFileSync(stat, "latin1").includes(") Z ");
}
