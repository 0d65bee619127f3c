/** The project of a reader: what the shell blocks of a page find in their folder. */
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../house/project.ts";

/** A program under each name that pages give it; its stage is made by the first command. */
export async function makeReaderProject(folder: string): Promise<void> {
  for (const name of ["engine.run.js", "app.js"]) {
    await copyFile(join(root, "test/docs/project/engine.run.js"), join(folder, name));
  }
}
