/** Searches random histories for a planted defect: the sources with the defect in them, in a process of its own. */
import { execFile } from "node:child_process";
import { cp, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build, type Plugin } from "esbuild";
import { read, root } from "../../house/project.ts";
import type { WorldName } from "../worlds.ts";
import type { Defect } from "./defect.ts";

export interface Find {
  readonly seed: number;
  readonly problems: readonly string[];
}

const run = promisify(execFile);

/** @param defect none: the unchanged sources */
export async function hunt(
  defect: Defect | undefined,
  seeds: readonly number[],
  world: WorldName = "processes",
): Promise<Find | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "defect-"));
  try {
    const program = await compile(folder, defect);
    const { stdout } = await run(process.execPath, [program, JSON.stringify(seeds), world], { cwd: folder });
    return stdout === "" ? undefined : (JSON.parse(stdout) as Find);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Text of the file of a defect, with the defect in it. */
export function defective({ name, file, find, replace }: Defect): string {
  const parts = read(file).split(find);
  if (parts.length !== 2) throw new Error(`"${name}": its text stands ${parts.length - 1} times in ${file}.`);
  return parts.join(replace);
}

/** All in one file, without copies on the disk, so that it takes only a moment. */
async function compile(folder: string, defect: Defect | undefined): Promise<string> {
  const program = join(folder, "dist/hunt.js");
  await build({
    absWorkingDir: root,
    entryPoints: ["test/simulation/defects/hunt.child.ts"],
    outfile: program,
    bundle: true,
    packages: "external",
    plugins: defect ? [planting(defect)] : [],
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "error",
  });
  await cp(join(root, "package.json"), join(folder, "package.json"));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"), "dir");
  return program;
}

function planting(defect: Defect): Plugin {
  return {
    name: "planting",
    setup({ onLoad }) {
      const path = join(root, defect.file);
      onLoad({ filter: /\.ts$/ }, (loaded) =>
        loaded.path === path ? { contents: defective(defect), loader: "ts" } : undefined,
      );
    },
  };
}
