/** A project that has installed the packed tarball, and runs of its programs. */
import { type ExecFileException, execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { registryEnv } from "../helpers/processes/registry-env.ts";
import { root } from "../house/project.ts";

export interface Finished {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Consumer {
  readonly folder: string;
  write(name: string, text: string): Promise<void>;
  /** Runs Node on the arguments, in the folder. */
  node(...args: string[]): Promise<Finished>;
  nodeWith(env: NodeJS.ProcessEnv, ...args: string[]): Promise<Finished>;
  /** The manifests of the packages that npm has installed. */
  packages(): Promise<readonly Manifest[]>;
  /** Bytes below node_modules. */
  installedSize(): Promise<number>;
  remove(): Promise<void>;
}

export interface Manifest {
  readonly name: string;
  readonly scripts?: Readonly<Record<string, string>>;
}

export interface Installed extends Pick<Consumer, "folder" | "remove"> {
  /** The package as it would be published. */
  readonly tarball: string;
}

/**
 * A project of its own with the packages of another one.
 *
 * @param packages the folder `node_modules` of the other project
 * @param without packages that it does not have
 */
export async function copyOfInstalled(packages: string, without: readonly string[]): Promise<Consumer> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "scope-engine-copy-")));
  await writeFile(join(folder, "package.json"), MANIFEST);
  await cp(packages, join(folder, "node_modules"), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !without.includes(relative(packages, source)),
  });
  for (const scope of new Set(without.map((name) => join(folder, "node_modules", dirname(name))))) {
    if ((await readdir(scope)).length === 0) await rmdir(scope);
  }
  return {
    folder,
    write: (name, text) => writeFile(join(folder, name), text),
    node: (...args) => execute(process.execPath, args, folder),
    nodeWith: (env, ...args) => execute(process.execPath, args, folder, env),
    packages: () => manifestsIn(join(folder, "node_modules")),
    installedSize: () => sizeOf(join(folder, "node_modules")),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

const MANIFEST = '{ "name": "consumer", "private": true, "type": "module" }\n';

/** A file in a tarball. */
export interface PackedFile {
  readonly path: string;
  readonly mode: number;
}

/** Path of the list of files in a tarball, as npm printed it while packing. */
export function listOf(tarball: string): string {
  return `${tarball}.json`;
}

/** Packs this package as it was built, and installs it into an empty folder as a user would. */
export async function installPackage(): Promise<Installed> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "scope-engine-consumer-")));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const packed = await succeed("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", folder], root);
    const [{ filename, files }]: [{ filename: string; files: readonly PackedFile[] }] = JSON.parse(packed);
    await writeFile(listOf(join(folder, filename)), JSON.stringify(files));
    const project = join(folder, "project");
    await mkdir(project);
    await writeFile(join(project, "package.json"), MANIFEST);
    const quiet = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
    await succeed("npm", ["install", ...quiet, join(folder, filename)], project);
    return { folder: project, tarball: join(folder, filename), remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function succeed(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { exitCode, stdout, stderr } = await execute(command, args, cwd, registryEnv());
  if (exitCode !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${exitCode}:\n${stdout}${stderr}`);
  return stdout;
}

function execute(command: string, args: readonly string[], cwd: string, env = process.env): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const done = (error: ExecFileException | null, stdout: string, stderr: string): void => {
      if (error && typeof error.code !== "number") reject(error);
      else resolve({ exitCode: Number(error?.code ?? 0), stdout, stderr });
    };
    execFile(command, args, { cwd, env, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 }, done);
  });
}

async function manifestsIn(packages: string): Promise<readonly Manifest[]> {
  const { packages: listed }: { packages: Record<string, unknown> } = JSON.parse(
    await readFile(join(packages, ".package-lock.json"), "utf8"),
  );
  return Promise.all(
    Object.keys(listed).map(async (place) =>
      JSON.parse(await readFile(join(packages, "..", place, "package.json"), "utf8")),
    ),
  );
}

async function sizeOf(folder: string): Promise<number> {
  let total = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) total += (await stat(join(entry.parentPath, entry.name))).size;
  }
  return total;
}
