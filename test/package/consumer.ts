/** A project that has installed the packed tarball, and what its programs do. */
import { type ExecFileException, execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../house/project.ts";

export interface Finished {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Consumer {
  readonly folder: string;
  /** The package as it would be published. */
  readonly tarball: string;
  write(name: string, text: string): Promise<void>;
  /** Runs Node on the arguments, in the folder. */
  node(...args: string[]): Promise<Finished>;
  /** Bytes below node_modules. */
  installedSize(): Promise<number>;
  remove(): Promise<void>;
}

/** Packs this package as it was built, and installs it into an empty folder as a user would. */
export async function installPackage(): Promise<Consumer> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "scope-engine-consumer-")));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const packed = await succeed("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], root);
    const [{ filename }]: [{ filename: string }] = JSON.parse(packed);
    const project = join(folder, "project");
    await mkdir(project);
    await writeFile(join(project, "package.json"), '{ "name": "consumer", "private": true, "type": "module" }\n');
    const quiet = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
    await succeed("npm", ["install", ...quiet, join(folder, filename)], project);
    return {
      folder: project,
      tarball: join(folder, filename),
      write: (name, text) => writeFile(join(project, name), text),
      node: (...args) => execute(process.execPath, args, project),
      installedSize: () => sizeOf(join(project, "node_modules")),
      remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function succeed(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { exitCode, stdout, stderr } = await execute(command, args, cwd);
  if (exitCode !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${exitCode}:\n${stdout}${stderr}`);
  return stdout;
}

function execute(command: string, args: readonly string[], cwd: string): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const done = (error: ExecFileException | null, stdout: string, stderr: string): void => {
      if (error && typeof error.code !== "number") reject(error);
      else resolve({ exitCode: Number(error?.code ?? 0), stdout, stderr });
    };
    execFile(command, args, { cwd, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 }, done);
  });
}

async function sizeOf(folder: string): Promise<number> {
  let total = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) total += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return total;
}
