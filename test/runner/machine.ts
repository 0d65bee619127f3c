/** What the engine remembers of this machine, in a folder of each run of tests: it begins empty, and goes with the run. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * The same for the whole of a run, whose configuration is read several times, and for runs that it starts. What runs have left that
 * were killed goes; that of one which is at work beside this one stays.
 *
 * @param folder those of all runs are in it
 */
export function machineOfRun(folder: string, env: NodeJS.ProcessEnv = process.env): string {
  if (env.TEST_MACHINE !== undefined) return env.TEST_MACHINE;
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder)) if (!isAtWork(name)) remove(join(folder, name));
  const own = mkdtempSync(join(folder, `${process.pid}-`));
  process.once("exit", () => remove(own));
  env.TEST_MACHINE = own;
  return own;
}

/** By the number of its process, with which the name of a folder begins. */
function isAtWork(name: string): boolean {
  const pid = Number.parseInt(name, 10);
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's can be there, and is not to be asked.
    return Object(error).code === "EPERM";
  }
}

function remove(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 5 });
}
