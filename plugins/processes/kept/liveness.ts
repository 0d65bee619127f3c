/** Which process a record means, and what has become of it. */
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

/** `foreign`: it is, or was, on another machine. `unknown`: the system does not tell. */
export type Liveness = "alive" | "gone" | "foreign" | "unknown";

/** By pid when those started that this process has started, and that have not ended as far as it knows: nobody else gets their pids. */
const children = new Map<number, string | undefined>();

/** The identity of a child that has just been started. */
export function identityOfChild(child: ChildProcess, pid: number): ProcessIdentity {
  const made = identityOf(pid);
  children.set(pid, made.started);
  child.once("exit", () => children.delete(pid));
  return made;
}

/** To be called while the pid cannot be another process's: right after its start, or of this process. */
export function identityOf(pid: number): ProcessIdentity {
  const here = identity();
  if (pid === process.pid) return here;
  // Where the kernel shows no files of processes, one is known by about when it started.
  return { ...here, pid, started: startOf(pid) ?? String(Date.now()) };
}

/** What has become of a process: one that has its pid by now, and started at another time, is not it. */
export function livenessOf(of: ProcessIdentity, here = identity(), system?: System): Liveness {
  if (!isOfMachine(of, here)) return "foreign";
  const isOneBoot = of.boot === here.boot;
  const isKnownBoot = of.boot !== undefined && here.boot !== undefined;
  // Since the machine started anew, nothing is left of what ran before.
  if (isKnownBoot && !isOneBoot) return "gone";
  const known = knownFate(of, here, system);
  if (known) return known;
  if (!isKnownBoot) return livenessFrom(fateBySight(of, system));
  if (of.pidNamespace !== here.pidNamespace) return "foreign";
  return livenessFrom(system ? fateOf(of, here, system) : fate(of, here));
}

/** Of this process, and of those that it has started, where nobody may be there to tell. Linux always tells. */
function knownFate(of: ProcessIdentity, here: ProcessIdentity, system = thisSystem): Liveness | undefined {
  if (system.platform === "linux") return undefined;
  if (of.pid === here.pid && here.started !== undefined) return of.started === here.started ? "alive" : "gone";
  if (!children.has(of.pid) || children.get(of.pid) !== of.started) return undefined;
  return system.exists(of.pid) ? "alive" : "gone";
}

function isOfMachine(of: ProcessIdentity, here: ProcessIdentity): boolean {
  if (of.machine !== here.machine) return false;
  // A Mac has another name in another network.
  return of.machine !== undefined || of.host === here.host || (of.boot !== undefined && of.boot === here.boot);
}

function livenessFrom(found: ReturnType<typeof fate>): Liveness {
  return found === "runs" || found === "stopped" ? "alive" : found;
}
