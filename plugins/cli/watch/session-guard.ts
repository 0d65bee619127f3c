/** Ends what a session has spawned if the session is killed while no program runs that could do it. */
import { fork } from "node:child_process";
import { ignore, messageOf } from "../../../core/base/index.js";
import { childEnvironment } from "../../internal/process/child-process.js";
import { endGroup } from "../../internal/process/process-group.js";
import { endSession, listSession } from "../../processes/kept/list.js";
import { say } from "../output.js";

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

/** Ends what the programs of a session have spawned. @param folders their root folders */
export async function endProcesses(folders: Iterable<string>, session: string): Promise<void> {
  for (const folder of folders) {
    try {
      await endSession(folder, session);
    } catch (error) {
      say(`not all processes of the session could be ended: ${messageOf(error)}`);
    }
  }
}

/** Kills it at once; {@link endProcesses}, which may wait for it meanwhile, forgets it. */
export async function killProcesses(folders: Iterable<string>, session: string): Promise<void> {
  const all = await Promise.all([...folders].map((folder) => runningIn(folder, session)));
  await Promise.all(all.flat().map(({ pid }) => endGroup(pid, 0)));
}

/** Those of the folders in which something runs that was spawned for the session. */
export async function foldersInUse(folders: Iterable<string>, session: string): Promise<readonly string[]> {
  const all = await Promise.all(
    [...folders].map(async (folder) => ((await runningIn(folder, session)).length > 0 ? folder : [])),
  );
  return all.flat();
}

async function runningIn(folder: string, session: string) {
  return (await listSession(folder, session)).filter(({ status }) => status === "alive");
}
