/** Programs of npm packages that only tests need: each is installed once for a machine. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { registryEnv } from "./registry-env.ts";

/** A cache for files that take long to make or to download, outside the repository. */
export const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "scope-engine-tests");

/**
 * The folder `node_modules` that holds a package, outside the repository.
 *
 * @param specifier name and exact version, e.g. `typescript@5.6.3`
 */
export async function toolPackages(specifier: string): Promise<string> {
  const folder = join(cache, specifier.replaceAll("/", "+"));
  const packages = join(folder, "node_modules");
  if (existsSync(packages)) return packages;
  await mkdir(cache, { recursive: true });
  // Made in another folder and moved: a test that finds the folder finds it complete.
  const aside = await mkdtemp(join(cache, "installing-"));
  try {
    await writeFile(join(aside, "package.json"), '{ "private": true }\n');
    await npmInstall(aside, specifier);
    await rename(aside, folder).catch((error: NodeJS.ErrnoException) => {
      // Another test was faster.
      if (error.code !== "ENOTEMPTY" && error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
  return packages;
}

/** Installs packages with npm, without running their scripts. */
async function npmInstall(folder: string, ...specifiers: string[]): Promise<void> {
  const quiet = ["--prefer-offline", "--no-audit", "--no-fund", "--no-save", "--ignore-scripts"];
  await promisify(execFile)("npm", ["install", ...quiet, ...specifiers], { cwd: folder, env: registryEnv() });
}
