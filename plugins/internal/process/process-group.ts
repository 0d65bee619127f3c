/** A process that leads a group, and what it has started, as far as that has stayed in its group. */
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

/** Milliseconds that a group has to end by itself. */
const GRACE = 5_000;
/** Milliseconds to wait for the kernel after a SIGKILL. */
const AFTER_KILL = 5_000;
/** Milliseconds between two looks, at first and at most. */
const [SOONEST, LATEST] = [5, 100];

/** How a program is started that is ended with all that it starts; also not reached by what is typed at the terminal. */
export interface OwnGroup {
  readonly detached: boolean;
  readonly windowsHide: true;
}

/**
 * @param outlives whether it goes on when this process has ended. Windows ends what a process has started with it, unless that is
 * detached; and what is detached has no console, so that all that it starts opens a window.
 */
export function ownGroup(
  { outlives }: { readonly outlives: boolean },
  platform: PlatformName = process.platform,
): OwnGroup {
  return { detached: outlives || platform !== "win32", windowsHide: true };
}

/**
 * SIGTERM, and SIGKILL for what is left of the group after `grace` milliseconds; resolves when all of it is gone. Windows knows neither
 * groups nor a signal that a program can hear: there the process ends at once, with all that it has started.
 */
export async function endGroup(pid: number, grace = GRACE, system = thisSystem): Promise<void> {
  if (system.platform === "win32") return endTree(pid, system);
  signalGroup(pid, "SIGTERM");
  // What is stopped hears nothing before it goes on.
  signalGroup(pid, "SIGCONT");
  if (await isGoneWithin(pid, grace, system)) return;
  signalGroup(pid, "SIGKILL");
  await isGoneWithin(pid, AFTER_KILL, system);
}

/** Those that it has started are found by their parents, so they go first, and it with them. */
async function endTree(pid: number, system: System): Promise<void> {
  const said = system.run(windowsProgram("taskkill.exe"), ["/PID", String(pid), "/T", "/F"]);
  if (said?.status !== 0 && system.exists(pid)) signal(pid, "SIGKILL");
  await isGoneWithin(pid, AFTER_KILL, system);
}

/** True while anything of the group runs: what is dead and waits for its parent to notice does not count. */
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

/** False where there is nobody to hear it. */
function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
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
