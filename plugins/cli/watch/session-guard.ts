/** Ends the processes of a session if it is killed while no program runs that could end them. */
import { fork } from "node:child_process";
import { ignore, messageOf } from "../../../core/base/index.js";
import { childEnvironment } from "../../internal/process/child-process.js";
import { endGroup } from "../../internal/process/process-group.js";
import { endSession, listSession } from "../../processes/kept/list.js";
import { say } from "../output.js";

const MAIN = process.argv[1] ?? "";

/**
 * Starts a process that ends when the session has ended in any way. It is detached, so that signals of the terminal and
 * to the group of the session do not reach it.
 *
 * @param rootDir root folder with running processes of the session
 */
export function startGuard(session: string, rootDir: string): void {
  const child = fork(MAIN, ["guarded-session", session, rootDir], {
    detached: true,
    env: childEnvironment(),
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  // Without the guard, only a killed session leaves processes running.
  child.on("error", ignore);
  child.unref();
  child.channel?.unref();
}

/** Runs in the process of the guard. */
export async function guardSession(session: string, rootDir: string): Promise<void> {
  if (process.connected) await new Promise((resolve) => process.once("disconnect", resolve));
  await endProcesses([rootDir], session);
}

/** Ends the processes that the programs of a session spawned. @param folders their root folders */
export async function endProcesses(folders: Iterable<string>, session: string): Promise<void> {
  for (const folder of folders) {
    try {
      await endSession(folder, session);
    } catch (error) {
      say(`some processes of the session could not be ended: ${messageOf(error)}`);
    }
  }
}

/** Kills the processes of a session at once. {@link endProcesses}, which may wait for them, deletes their records. */
export async function killProcesses(folders: Iterable<string>, session: string): Promise<void> {
  const all = await Promise.all([...folders].map((folder) => runningIn(folder, session)));
  await Promise.all(all.flat().map(({ pid }) => endGroup(pid, 0)));
}

/** Returns the folders with running processes of the session. */
export async function foldersInUse(folders: Iterable<string>, session: string): Promise<readonly string[]> {
  const all = await Promise.all(
    [...folders].map(async (folder) => ((await runningIn(folder, session)).length > 0 ? folder : [])),
  );
  return all.flat();
}

async function runningIn(folder: string, session: string) {
  return (await listSession(folder, session)).filter(({ status }) => status === "alive");
}
