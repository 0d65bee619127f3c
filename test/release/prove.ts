/** The package as its users will get it, tried before anybody does. */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { firstAppIn } from "../package/first-app.js";
import { execute } from "./execute.js";

/** Builds and packs a clone, installs the tarball in an empty folder, and runs the README's first app there. */
export async function provePackage(clone: string, folder: string, version: string): Promise<void> {
  await execute(clone, "npm", "run", "--silent", "build");
  const packed = await execute(clone, "npm", "pack", "--ignore-scripts", "--json", "--pack-destination", folder);
  const [{ filename }]: [{ filename: string }] = JSON.parse(packed);
  const project = join(folder, "project");
  await mkdir(project);
  await writeFile(join(project, "package.json"), '{ "name": "first", "private": true, "type": "module" }\n');
  await writeFile(join(project, "engine.run.ts"), firstAppIn(await readFile(join(clone, "README.md"), "utf8")));
  const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
  await execute(project, "npm", "install", ...quiet, join(folder, filename));
  const engine = (...args: string[]) => execute(project, "npm", "exec", "--offline", "--", "engine", ...args);
  const told = await engine("--version");
  if (told !== version) throw new Error(`The packed program says that it is ${told}, not ${version}.`);
  await engine("up");
}
