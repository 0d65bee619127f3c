/** Identifies the process of a record, and determines whether it is alive. */
import type { ChildProcess } from "node:child_process";
import {
  fate,
  fateBySight,
  fateOf,
  identity,
  type ProcessIdentity,
  type System,
  startOf,
  thisSystem,
} from "../../../core/base/index.js";

/** `foreign`: it was started on another machine. `unknown`: the system does not report it. */
export type Liveness = "alive" | "gone" | "foreign" | "unknown";

/** Start times of the running children of this process, by pid. No other process can have their pids. */
const children = new Map<number, string | undefined>();

/** Returns the identity of a child that has just been started. */
export function identityOfChild(child: ChildProcess, pid: number): ProcessIdentity {
  const made = identityOf(pid);
  children.set(pid, made.started);
  child.once("exit", () => children.delete(pid));
  return made;
}

/**
 * Returns the identity of a pid. Call it while no other process can have the pid: right after its start, or for this
 * process.
 */
export function identityOf(pid: number): ProcessIdentity {
  const here = identity();
  if (pid === process.pid) return here;
  // Without /proc, the current time stands for the time of the start.
  return { ...here, pid, started: startOf(pid) ?? String(Date.now()) };
}

/** Returns the liveness of a process. One with the same pid but another start time is a different process. */
export function livenessOf(of: ProcessIdentity, here = identity(), system?: System): Liveness {
  if (!isOfMachine(of, here)) return "foreign";
  const isOneBoot = of.boot === here.boot;
  const isKnownBoot = of.boot !== undefined && here.boot !== undefined;
  // No process survives a reboot.
  if (isKnownBoot && !isOneBoot) return "gone";
  const known = knownFate(of, here, system);
  if (known) return known;
  if (!isKnownBoot) return livenessFrom(fateBySight(of, system));
  if (of.pidNamespace !== here.pidNamespace) return "foreign";
  return livenessFrom(system ? fateOf(of, here, system) : fate(of, here));
}

/** Liveness of this process and its children on systems that may not report it. Linux always does. */
function knownFate(of: ProcessIdentity, here: ProcessIdentity, system = thisSystem): Liveness | undefined {
  if (system.platform === "linux") return undefined;
  if (of.pid === here.pid && here.started !== undefined) return of.started === here.started ? "alive" : "gone";
  if (!children.has(of.pid) || children.get(of.pid) !== of.started) return undefined;
  return system.exists(of.pid) ? "alive" : "gone";
}

function isOfMachine(of: ProcessIdentity, here: ProcessIdentity): boolean {
  if (of.machine !== here.machine) return false;
  // A Mac may have another host name in another network.
  return of.machine !== undefined || of.host === here.host || (of.boot !== undefined && of.boot === here.boot);
}

function livenessFrom(found: ReturnType<typeof fate>): Liveness {
  return found === "runs" || found === "stopped" ? "alive" : found;
}
