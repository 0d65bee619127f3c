/** The project of a reader: what the shell blocks of a page find in their folder. */
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../house/project.ts";
import { run, type Surroundings } from "./run-block.ts";

/** A program under each name that pages give it, and the stage that a first run of it makes. */
export async function makeReaderProject(surroundings: Surroundings): Promise<void> {
  for (const name of ["engine.run.js", "app.js"]) {
    await copyFile(join(root, "test/docs/project/engine.run.js"), join(surroundings.cwd, name));
  }
  const { exitCode, printed } = await run("node", ["app.js"], surroundings);
  if (exitCode !== 0) throw new Error(`The project of the pages ended with ${exitCode}:\n${printed}`);
}
