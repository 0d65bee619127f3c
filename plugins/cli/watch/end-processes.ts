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
  const all = await Promise.all([...folders].map((folder) => listSession(folder, session)));
  const running = all.flat().filter(({ status }) => status === "alive");
  await Promise.all(running.map(({ pid }) => endGroup(pid, 0)));
}

/** Those of the folders in which something runs that was spawned for the session. */
export async function foldersInUse(folders: Iterable<string>, session: string): Promise<readonly string[]> {
  const isUsed = async (folder: string): Promise<boolean> =>
    (await listSession(folder, session)).some(({ status }) => status === "alive");
  const all = await Promise.all([...folders].map(async (folder) => ({ folder, used: await isUsed(folder) })));
  return all.flatMap(({ folder, used }) => (used ? folder : []));
}
