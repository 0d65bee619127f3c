/** Names of dev and watch sessions. A name shows whether the leader of its session is still alive. */
import { randomUUID } from "node:crypto";
import { identity } from "../../../core/base/index.js";
import { livenessOf } from "./liveness.js";

/** Returns a name for a session that this process leads. */
export function newSession(): string {
  const { pid, started = "" } = identity();
  return `${pid}.${started}.${randomUUID()}`;
}

/** True if the leader is alive; also false if the system does not report it. */
export function sessionLives(session: string | undefined): boolean {
  const [, pid, started] = /^(\d+)\.(\d+)\./.exec(session ?? "") ?? [];
  if (pid === undefined || started === undefined) return false;
  return livenessOf({ ...identity(), pid: Number(pid), started }) === "alive";
}
