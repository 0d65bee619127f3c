import { endProcess } from "../output.js";
import type { Given } from "../run-command.js";
import type { Run } from "../run-entry.js";
import { runSession } from "./session.js";

/** Runs the program again and again; ends the process when the session is over. */
export async function watchEntry(run: Run, { quiet }: Given): Promise<void> {
  await endProcess(await runSession({ ...run, isQuiet: quiet === true }));
}
