import type { Project } from "../../../helpers/processes/engine-project.js";

/** Gives the program of a shop another folder for its state, as after a move to there. */
export async function useRoot(project: Pick<Project, "read" | "write">, root: string): Promise<void> {
  const program = await project.read("engine.run.mjs");
  await project.write("engine.run.mjs", program.replace("fsStore()", `fsStore({ root: "${root}" })`));
}
