/** A process that leads a group, and its descendants that stayed in the group. */
import { readdirSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import {
  hasCode,
  isOver,
  monotonicNow,
  type PlatformName,
  type System,
  statOf,
  thisSystem,
  windowsProgram,
} from "../../../core/base/index.js";

/** Milliseconds for a group to end by itself. */
const GRACE = 5_000;
/** Milliseconds to wait for the kernel after a SIGKILL. */
const AFTER_KILL = 5_000;
/** Milliseconds between two checks: the first and the longest pause. */
const [SOONEST, LATEST] = [5, 100];

/** Spawn options of a program that ends with its descendants, and does not receive keys typed at the terminal. */
export interface OwnGroup {
  readonly detached: boolean;
  readonly windowsHide: true;
}

/**
 * @param outlives true if the program continues after this process has ended. Windows ends the children of a process
 * with it unless they are detached. A detached program has no console, so that each of its children opens a window.
 */
export function ownGroup(
  { outlives }: { readonly outlives: boolean },
  platform: PlatformName = process.platform,
): OwnGroup {
  return { detached: outlives || platform !== "win32", windowsHide: true };
}

/**
 * Sends SIGTERM, and SIGKILL to the remaining group after `grace` milliseconds. Resolves when the whole group is gone.
 * Windows has neither groups nor signals that a program can handle: there the process ends at once with its
 * descendants.
 */
export async function endGroup(pid: number, grace = GRACE, system = thisSystem): Promise<void> {
  if (system.platform === "win32") return endTree(pid, system);
  signalGroup(pid, "SIGTERM");
  // A stopped process handles no signal before it continues.
  signalGroup(pid, "SIGCONT");
  if (await isGoneWithin(pid, grace, system)) return;
  signalGroup(pid, "SIGKILL");
  await isGoneWithin(pid, AFTER_KILL, system);
}

/** taskkill finds descendants by their parents, so one call ends them together with the process. */
async function endTree(pid: number, system: System): Promise<void> {
  const said = system.run(windowsProgram("taskkill.exe"), ["/PID", String(pid), "/T", "/F"]);
  if (said?.status !== 0 && system.exists(pid)) signal(pid, "SIGKILL");
  await isGoneWithin(pid, AFTER_KILL, system);
}

/** Returns true while a member of the group runs. Zombies do not count. */
export function groupLives(pid: number, system = thisSystem): boolean {
  if (system.platform === "win32") return system.exists(pid);
  if (!signalGroup(pid, 0)) return false;
  return membersOf(pid, system.proc)?.includes(false) ?? true;
}

async function isGoneWithin(pid: number, limit: number, system: System): Promise<boolean> {
  const end = monotonicNow() + limit;
  for (let wait = SOONEST; groupLives(pid, system); wait = Math.min(wait * 2, LATEST)) {
    if (monotonicNow() >= end) return false;
    await pause(Math.max(1, Math.min(wait, end - monotonicNow())));
  }
  return true;
}

function signalGroup(pid: number, name: NodeJS.Signals | 0): boolean {
  return signal(-pid, name);
}

/** Returns false if there is no such process. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    return !hasCode(error, "ESRCH");
  }
}

/** Returns for each member of a group whether it has ended; undefined if the system does not list them. */
function membersOf(group: number, proc: string): readonly boolean[] | undefined {
  const members = pidsIn(proc)?.flatMap((pid) => {
    const stat = statOf(Number(pid), proc);
    return stat?.group === String(group) ? [isOver(stat)] : [];
  });
  // Some systems list only the user's own processes: then the kernel's first answer counts.
  return members?.length === 0 ? undefined : members;
}

function pidsIn(proc: string): readonly string[] | undefined {
  try {
    const pids = readdirSync(proc).filter((name) => /^\d+$/.test(name));
    return pids.length > 0 ? pids : undefined;
  } catch {
    return undefined; // Only Linux has /proc.
  }
}
