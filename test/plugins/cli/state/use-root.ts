import type { Project } from "../../../helpers/processes/engine-project.js";

/** Changes the program of a shop to another state folder, as after a move. */
export async function useRoot(project: Pick<Project, "read" | "write">, root: string): Promise<void> {
  const program = await project.read("engine.run.mjs");
  await project.write("engine.run.mjs", program.replace("fsStore()", `fsStore({ root: "${root}" })`));
}
