import { messageOf } from "../../../core/base/index.js";
import { endGroup } from "../../internal/process-group.js";
import { endSession, listSession } from "../../processes/kept/list.js";
import { say } from "../output.js";

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
