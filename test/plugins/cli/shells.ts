/** Shells in which the `engine` program is on the path, for what it offers them on TAB. */
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { engineProject, main } from "../../helpers/processes/engine-project.ts";

/** What each of these has to offer. */
export const CASES = [
  [["te"], ["telemetry"]],
  [
    ["telemetry", ""],
    ["status", "enable", "disable"],
  ],
  [["state", "l"], ["list"]],
  [["up", "--max"], ["--max-deletes"]],
  [["state", "show", "--show"], ["--show-secrets"]],
  [
    ["init", "--store", ""],
    ["files", "s3", "redis"],
  ],
  [["completion", "f"], ["fish"]],
] as const;

export interface Shells {
  /** Where they are. */
  readonly folder: string;
  /** Their PATH. */
  readonly path: string;
  /** What a shell prints. */
  run(name: string, ...args: readonly string[]): string;
  /** What `engine completion` prints for a shell: the same each time. */
  completionFor(name: string): string;
  remove(): Promise<void>;
}

export async function shells(): Promise<Shells> {
  const project = await engineProject({ "engine.run.ts": "", "other.ts": "" });
  const bin = await mkdtemp(join(tmpdir(), "engine-bin-"));
  await mkdir(join(bin, "bin"));
  await symlink(main, join(bin, "bin/engine"));
  const path = `${join(bin, "bin")}:${process.env.PATH}`;
  const run = (name: string, ...args: readonly string[]): string => {
    const { stdout, stderr, status } = spawnSync(name, args, {
      cwd: project.folder,
      env: { ...process.env, PATH: path },
      encoding: "utf8",
    });
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
    return stdout;
  };
  const made = new Map<string, string>();
  return {
    folder: project.folder,
    path,
    run,
    completionFor(name) {
      const script = made.get(name) ?? run("engine", "completion", name);
      made.set(name, script);
      return script;
    },
    async remove() {
      await rm(bin, { recursive: true, force: true });
      await project.remove();
    },
  };
}
