import { messageOf } from "../../../core/base/index.js";
import { endSession } from "../../processes/kept/list.js";
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
