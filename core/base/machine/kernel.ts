/** What the system tells of processes: which one this is, and whether another one on the same machine still lives. */
import { readFileSync, readlinkSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { hasCode } from "../system-error.js";
import type { ProcessFate, ProcessIdentity, ProcessName } from "./identity.js";

export function nameOfThis(): ProcessName {
  return { user: userName(), host: hostname(), pid: process.pid };
}

export function identityOfThis(): ProcessIdentity {
  const started = startOf(process.pid);
  const machine = read("/etc/machine-id") ?? read("/var/lib/dbus/machine-id");
  const boot = read("/proc/sys/kernel/random/boot_id");
  const pidNamespace = link("/proc/self/ns/pid");
  return {
    ...nameOfThis(),
    ...(started === undefined ? {} : { started }),
    ...(machine === undefined ? {} : { machine }),
    ...(boot === undefined ? {} : { boot }),
    ...(pidNamespace === undefined ? {} : { pidNamespace }),
  };
}

/**
 * What this machine can say of a process by itself; "unknown" where it runs elsewhere or the system does not tell.
 *
 * @param proc where the kernel shows its processes
 */
export function fateOf(of: ProcessIdentity, here: ProcessIdentity, proc = "/proc"): ProcessFate {
  const sameKernel = of.boot !== undefined && of.boot === here.boot && of.machine === here.machine;
  if (!sameKernel || of.pidNamespace === undefined || of.pidNamespace !== here.pidNamespace) return "unknown";
  const stat = statOf(of.pid, proc);
  // Some systems show a user only his own processes (hidepid).
  if (stat === undefined) return exists(of.pid) ? "unknown" : "gone";
  if (stat.started !== of.started || isOver(stat)) return "gone";
  return stat.state === "T" || stat.state === "t" ? "stopped" : "runs";
}

/** What the kernel says of a process. */
interface Stat {
  /** One letter. */
  readonly state: string;
  readonly group: string | undefined;
  readonly threads: string | undefined;
  /** In ticks since boot. */
  readonly started: string;
}

/**
 * True for what is dead, and at most waits for its parent to notice. Not as long as a thread is left although the first one has
 * ended: it may still be writing, and holds the process's files and ports.
 */
export function isOver({ state, threads }: Stat): boolean {
  return state === "X" || (state === "Z" && !(Number(threads) > 1));
}

export function startOf(pid: number): string | undefined {
  return statOf(pid)?.started;
}

/** Linux keeps it in /proc; undefined elsewhere, and once the process has ended. */
export function statOf(pid: number, proc = "/proc"): Stat | undefined {
  const stat = read(`${proc}/${pid}/stat`);
  // The command's name stands in brackets and may hold anything: fields are counted from behind it.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
  const [state, , group] = fields;
  const [threads, started] = [fields[17], fields[19]];
  return state === undefined || started === undefined ? undefined : { state, group, threads, started };
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !hasCode(error, "ESRCH");
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return undefined; // The system does not have it: the lease decides instead.
  }
}

function link(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "unknown"; // A user without an entry in the password file, as in many containers.
  }
}
