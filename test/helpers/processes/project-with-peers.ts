/** A project in which the built package finds optional packages such as `bullmq`, unlike the packed one. */
import { rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../house/project.ts";
import { engineProject, type Project } from "./engine-project.ts";

/** The main file of the `engine` program in such a project. */
export const builtMain = join(root, "dist/plugins/cli/main.js");

export async function projectWithPeers(files: Readonly<Record<string, string>>): Promise<Project> {
  const made = await engineProject(files);
  const link = join(made.folder, "node_modules/scope-engine");
  await rm(link);
  await symlink(root, link, "dir");
  return made;
}
