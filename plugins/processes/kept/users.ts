/** Tracks the runs that use a process; it ends with the last of them. */
import { randomUUID } from "node:crypto";
import { identity } from "../../../core/base/index.js";
import type { App } from "../../../core/run/index.js";
import { livenessOf } from "./liveness.js";
import type { ProcessRecord, ProcessUser } from "./record.js";

const users = new WeakMap<App, ProcessUser>();

export function userOf(app: App): ProcessUser {
  const user = users.get(app) ?? { run: randomUUID(), process: identity() };
  users.set(app, user);
  return user;
}

/** Returns the other runs that are alive. */
export function otherUsers({ users: all = [] }: ProcessRecord, { run }: ProcessUser): readonly ProcessUser[] {
  return Array.isArray(all) ? all.filter((one) => one?.run !== run && isAlive(one)) : [];
}

function isAlive(user: ProcessUser | null): boolean {
  return typeof user?.process?.pid === "number" && livenessOf(user.process) === "alive";
}
