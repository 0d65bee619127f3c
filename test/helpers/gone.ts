import { setTimeout as pause } from "node:timers/promises";

/** Resolves when no process has this id any more. */
export async function isGone(pid: number): Promise<void> {
  while (exists(pid)) await pause(10);
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
