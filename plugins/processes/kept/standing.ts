/** Which process a record means, and what has become of it. */
import { execFileSync } from "node:child_process";
import { fate, identity, type ProcessIdentity, startOf } from "../../../core/base/index.js";
import { childEnvironment } from "../../internal/child-environment.js";

/** `foreign`: it is, or was, on another machine. `unknown`: the system does not tell. */
export type Standing = "alive" | "gone" | "foreign" | "unknown";

/** To be called while the pid cannot be another process's: while it runs, or has not been waited for. */
export function identityOf(pid: number): ProcessIdentity {
  const started = startOf(pid) ?? startByPs(pid);
  const { started: _own, ...here } = identity();
  return { ...here, pid, ...(started === undefined ? {} : { started }) };
}

/** What has become of a process: one that has its pid by now, and started at another time, is not it. */
export function standingOf(of: ProcessIdentity): Standing {
  const here = identity();
  const sameMachine = of.machine === here.machine && (of.machine !== undefined || of.host === here.host);
  if (!sameMachine) return "foreign";
  // Since the machine started anew, nothing is left of what ran before.
  if (of.boot !== here.boot) return "gone";
  if (of.boot === undefined) return standingByPs(of);
  if (of.pidNamespace !== here.pidNamespace) return "foreign";
  const found = fate(of, here);
  return found === "runs" || found === "stopped" ? "alive" : found;
}

/** Where the kernel shows no files of its processes, `ps` tells when one started, to the second. */
function standingByPs({ pid, started }: ProcessIdentity): Standing {
  if (started === undefined) return "unknown";
  const found = startByPs(pid);
  if (found === undefined) return "gone";
  return found === started ? "alive" : "gone";
}

/** Undefined where there is no such process, or no `ps`. */
export function startByPs(pid: number): string | undefined {
  try {
    const env = childEnvironment({ LC_ALL: "C", TZ: "UTC" });
    const stdio: ["ignore", "pipe", "ignore"] = ["ignore", "pipe", "ignore"];
    const said = execFileSync("ps", ["-o", "lstart=", "-p", String(pid)], { encoding: "utf8", env, stdio });
    return said.trim() || undefined;
  } catch {
    return undefined;
  }
}
