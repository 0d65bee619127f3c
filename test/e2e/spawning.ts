/** The processes that a program has spawned, as printed and as recorded. */
import { expect } from "vitest";
import { listProcesses } from "../../plugins/processes/kept/list.js";
import { type ProgramOptions, startProgram } from "../helpers/processes/child-program.ts";
import { isAlive } from "../helpers/processes/processes.ts";

/** The one recorded process. */
export async function recorded(cwd: string): Promise<number> {
  const [one] = await listProcesses(cwd);
  if (!one) throw new Error("No process is recorded.");
  return one.pid;
}

export function pidSaid(stdout: string): number {
  const pid = Number(/^spawned (\d+)$/m.exec(stdout)?.[1]);
  // 0 would be all the processes of this run of tests.
  if (!(pid > 0)) throw new Error(`No pid was said: ${stdout}`);
  return pid;
}

/** A program that was killed while its process ran. */
export async function killedRun(cwd: string): Promise<number> {
  const program = startProgram("spawning", { cwd, args: ["wait"] });
  await program.printed("spawned");
  program.process.kill("SIGKILL");
  const { stdout } = await program.ended;
  const pid = pidSaid(stdout);
  expect(isAlive(pid)).toBe(true);
  return pid;
}

/** A program in a watcher's session. */
export const inSession = (session: string) =>
  ({ args: ["--watch"], env: { ENGINE_SESSION: session } }) satisfies Partial<ProgramOptions>;
