/** Ends what a session has spawned if the session is killed while no program runs that could do it. */
import { fork } from "node:child_process";
import { ignore } from "../../../core/base/index.js";
import { childEnvironment } from "../../internal/child-environment.js";
import { endProcesses } from "./end-processes.js";

const MAIN = process.argv[1] ?? "";

/**
 * Starts a process beside the session, which ends once the session has ended, however that was. Detached: what is typed at the terminal
 * and what ends the group of the session does not reach it.
 *
 * @param rootDir folder in which something runs that was spawned for the session
 */
export function startGuard(session: string, rootDir: string): void {
  const child = fork(MAIN, ["guarded-session", session, rootDir], {
    detached: true,
    env: childEnvironment(),
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  // Without it only a killed session leaves something behind.
  child.on("error", ignore);
  child.unref();
  child.channel?.unref();
}

/** In that process. */
export async function guardSession(session: string, rootDir: string): Promise<void> {
  if (process.connected) await new Promise((resolve) => process.once("disconnect", resolve));
  await endProcesses([rootDir], session);
}
