/** Names of dev and watch sessions: whoever sees one can tell whether its leader still lives. */
import { randomUUID } from "node:crypto";
import { identity } from "../../../core/base/index.js";
import { livenessOf } from "./liveness.js";

/** For a session that this process leads. */
export function newSession(): string {
  const { pid, started = "" } = identity();
  return `${pid}.${started}.${randomUUID()}`;
}

/** False also where the system does not tell. */
export function sessionLives(session: string | undefined): boolean {
  const [, pid, started] = /^(\d+)\.(\d+)\./.exec(session ?? "") ?? [];
  if (pid === undefined || started === undefined) return false;
  return livenessOf({ ...identity(), pid: Number(pid), started }) === "alive";
}
