/** A process that leads a group, and what it has started, as far as that has stayed in its group. */
import { readdirSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { hasCode, isOver, monotonicNow, statOf } from "../../core/base/index.js";

/** Milliseconds that a group has to end by itself. */
const GRACE = 5_000;
/** Milliseconds to wait for the kernel after a SIGKILL. */
const AFTER_KILL = 5_000;
/** Milliseconds between two looks, at first and at most. */
const [SOONEST, LATEST] = [5, 100];

const isWindows = process.platform === "win32";

/** SIGTERM, and SIGKILL for what is left of the group after `grace` milliseconds; resolves when all of it is gone. */
export async function endGroup(pid: number, grace = GRACE): Promise<void> {
  signalGroup(pid, "SIGTERM");
  // What is stopped hears nothing before it goes on.
  if (!isWindows) signalGroup(pid, "SIGCONT");
  if (await isGoneWithin(pid, grace)) return;
  signalGroup(pid, "SIGKILL");
  await isGoneWithin(pid, AFTER_KILL);
}

/** True while anything of the group runs: what is dead and waits for its parent to notice does not count. */
export function groupLives(pid: number, proc = "/proc"): boolean {
  if (!signalGroup(pid, 0)) return false;
  return membersOf(pid, proc)?.includes(false) ?? true;
}

async function isGoneWithin(pid: number, limit: number): Promise<boolean> {
  const end = monotonicNow() + limit;
  for (let wait = SOONEST; groupLives(pid); wait = Math.min(wait * 2, LATEST)) {
    if (monotonicNow() >= end) return false;
    await pause(Math.max(1, Math.min(wait, end - monotonicNow())));
  }
  return true;
}

/** False where there is nobody to hear it. */
function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(isWindows ? pid : -pid, signal);
  } catch (error) {
    return !hasCode(error, "ESRCH");
  }
}

/** Of each member of a group whether it is over; undefined where the system does not show them. */
function membersOf(group: number, proc: string): readonly boolean[] | undefined {
  const members = pidsIn(proc)?.flatMap((pid) => {
    const stat = statOf(Number(pid), proc);
    return stat?.group === String(group) ? [isOver(stat)] : [];
  });
  // Some systems show a user only his own processes: then the kernel's first answer counts.
  return members?.length === 0 ? undefined : members;
}

function pidsIn(proc: string): readonly string[] | undefined {
  try {
    const pids = readdirSync(proc).filter((name) => /^\d+$/.test(name));
    return pids.length > 0 ? pids : undefined;
  } catch {
    return undefined; // Only Linux has it.
  }
}
