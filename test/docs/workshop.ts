/**
 * A folder in which blocks are tried: it has the packed package installed, and the other packages of a reader's
 * project.
 */
import { mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { read, root } from "../house/project.ts";
import { given } from "../servers/given.ts";

/** Undefined if the packed package exists; otherwise the reason why not. */
export const lacksPackage = await given("packed");

export interface Workshop {
  readonly folder: string;
  /** A folder of its own below it, for one block or page. */
  place(name: string): Promise<string>;
  remove(): Promise<void>;
}

export async function openWorkshop(): Promise<Workshop> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "scope-engine-docs-")));
  const modules = join(folder, "node_modules");
  await mkdir(modules);
  const packages = process.env.TEST_PACKED ?? "";
  // The dependencies of the package, and then those of a reader's project: each once.
  await linkAll(await namesIn(packages), packages, modules);
  await linkAll(Object.keys(JSON.parse(read("package.json")).devDependencies), join(root, "node_modules"), modules);
  await writeFile(join(folder, "package.json"), '{ "type": "module" }\n');
  await writeShims(join(folder, "bin"), modules);
  return {
    folder,
    place: async (name) => {
      const place = join(folder, name.replaceAll(/[^\w.]+/g, "-"));
      await mkdir(place, { recursive: true });
      return place;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Names of packages, with their scopes. */
async function namesIn(packages: string): Promise<readonly string[]> {
  const entries = (await readdir(packages)).filter((name) => !name.startsWith("."));
  const names = entries.map(async (name) =>
    name.startsWith("@") ? (await readdir(join(packages, name))).map((one) => `${name}/${one}`) : [name],
  );
  return (await Promise.all(names)).flat();
}

async function linkAll(names: readonly string[], from: string, to: string): Promise<void> {
  for (const name of names) {
    await mkdir(dirname(join(to, name)), { recursive: true });
    await symlink(join(from, name), join(to, name), "dir").catch((error: unknown) => {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    });
  }
}

/** The programs that a shell block calls; `npx` runs installed packages, and never looks elsewhere. */
async function writeShims(bin: string, modules: string): Promise<void> {
  await mkdir(bin);
  const shims = {
    npx: 'exec "$@"',
    tsx: `exec node "${createRequire(import.meta.url).resolve("tsx/cli")}" "$@"`,
    engine: `exec node "${join(modules, "scope-engine/dist/plugins/cli/main.js")}" "$@"`,
  };
  for (const [name, line] of Object.entries(shims)) {
    await writeFile(join(bin, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 });
  }
}
