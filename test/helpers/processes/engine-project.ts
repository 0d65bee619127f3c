/** A project of a user, and the `engine` program of the packed package run in it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { given } from "../../servers/given.ts";

/** Undefined if the packed package exists; otherwise the reason why not. */
export const lacksPackage = await given("packed");

/** The folder of packages in an empty project into which the packed package was installed. */
const packages = process.env.TEST_PACKED ?? "";

/** The program's main file. */
export const main = join(packages, "scope-engine/dist/plugins/cli/main.js");

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Project {
  readonly folder: string;
  write(name: string, text: string): Promise<void>;
  read(name: string): Promise<string>;
  /** Names in the project's folder. */
  names(): Promise<readonly string[]>;
  engine(...args: string[]): Promise<Finished>;
  /** With other environment variables. */
  engineWith(env: Readonly<Record<string, string>>, ...args: string[]): Promise<Finished>;
  remove(): Promise<void>;
}

/** @param files by name; the built package is installed in the project */
export async function engineProject(files: Readonly<Record<string, string>> = {}): Promise<Project> {
  if (lacksPackage !== undefined) throw new Error(lacksPackage);
  const folder = await realpath(await mkdtemp(join(tmpdir(), "engine-project-")));
  await mkdir(join(folder, "node_modules"));
  await symlink(join(packages, "scope-engine"), join(folder, "node_modules/scope-engine"), "dir");
  const write = async (name: string, content: string): Promise<void> => {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  };
  for (const [name, content] of Object.entries(files)) await write(name, content);
  const engineWith = (env: Readonly<Record<string, string>>, ...args: string[]): Promise<Finished> =>
    runEngine(folder, args, env);
  return {
    folder,
    write,
    read: (name) => readFile(join(folder, name), "utf8"),
    names: async () => (await readdir(folder)).sort(),
    engine: (...args) => engineWith({}, ...args),
    engineWith,
    // A program that a test has started may still be ending, and writing.
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }),
  };
}

export async function runEngine(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  node = process.execPath,
): Promise<Finished> {
  const child = spawn(node, [main, ...args], {
    cwd,
    env: { ...plainEnv(), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, stdout, stderr };
}

/** The environment of a user's terminal, without that of the tests. */
export function plainEnv(): Readonly<Record<string, string>> {
  const { PATH = "", HOME = "", XDG_STATE_HOME = "" } = process.env;
  return { PATH, HOME, XDG_STATE_HOME, USER: "tester" };
}
