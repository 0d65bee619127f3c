/** Folders that killed runs leave: one for each moment between two changes of the run. */
import { spawn } from "node:child_process";
import { compiledProgram } from "../../helpers/processes/compiled-program.ts";
import type { Project, projects } from "./project.ts";

export interface KilledRun {
  /** Number of changes that the run made. */
  readonly moment: number;
  /** Copies the folder that the run left. */
  copy(): Promise<Project>;
}

const child = compiledProgram(new URL("killed.child.ts", import.meta.url));

/**
 * Kills runs of a program, each in its own project that is prepared first.
 *
 * @param moments Default: all
 */
export async function killedRuns(
  newProject: ReturnType<typeof projects>,
  name: string,
  prepare: (project: Project) => Promise<unknown>,
  moments?: readonly number[],
): Promise<KilledRun[]> {
  const run = async (moment: number): Promise<KilledRun | undefined> => {
    const project = await newProject({ stateStore: undefined });
    await prepare(project);
    const ended = await end([child, project.root, name, String(moment)]);
    if (ended === 0) return undefined;
    if (ended !== "SIGKILL") throw new Error(`The run of "${name}" ended with ${ended}.`);
    const copy = async (): Promise<Project> => {
      const target = await newProject({ stateStore: undefined });
      await project.copyTo(target);
      return target;
    };
    return { moment, copy };
  };
  if (moments) return (await Promise.all(moments.map(run))).flatMap((one) => one ?? []);
  const runs: KilledRun[] = [];
  for (let moment = 0; ; moment += 2) {
    const two = await Promise.all([run(moment), run(moment + 1)]);
    runs.push(...two.flatMap((one) => one ?? []));
    if (two.includes(undefined)) return runs;
  }
}

function end(args: readonly string[]): Promise<number | string | null> {
  return new Promise((resolve, reject) => {
    const run = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
    run.once("error", reject);
    run.once("close", (code, signal) => resolve(signal ?? code));
  });
}
