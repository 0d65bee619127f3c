/** Which process this is, so that another run on the same machine can tell whether it still lives. */
import { platform } from "./platform.js";

/** Whose process it is, for people. */
export interface ProcessName {
  readonly user: string;
  readonly host: string;
  readonly pid: number;
}

export interface ProcessIdentity extends ProcessName {
  readonly started?: string;
  readonly machine?: string;
  readonly boot?: string;
  readonly pidNamespace?: string;
}

/** What can be said of a process from outside. */
export type ProcessFate = "gone" | "runs" | "stopped" | "unknown";

export function processName(): ProcessName {
  return platform().processName();
}

export function identity(): ProcessIdentity {
  return platform().identity();
}

/** What this machine can say of a process by itself; "unknown" where it runs elsewhere or the system does not tell. */
export function fate(of: ProcessIdentity, here: ProcessIdentity): ProcessFate {
  return platform().fate(of, here);
}
