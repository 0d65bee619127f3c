/** Shells with the `engine` program on their path, to test completions. */
import { spawnSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { engineProject, main } from "../../helpers/processes/engine-project.ts";

/** Words, and the completions that each shell must offer. */
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
  [["fle"], ["fleet"]],
  [["wor"], ["worker"]],
  [
    ["fleet", ""],
    ["up", "plan", "drift", "destroy", "status", "pause", "cancel", "resume", "retry", "migrate"],
  ],
  [
    ["fleet", "up", "--"],
    ["--queue", "--concurrency", "--wait", "--no-wait", "--max-deletes", "--json"],
  ],
  [["fleet", "plan", "--exit"], ["--exit-code"]],
  [["fleet", "status", "--miss"], ["--missing-ok"]],
  [["fleet", "retry", "tenants.run.ts", "--conc"], ["--concurrency"]],
  [
    ["worker", "tenants.run.ts", "--"],
    ["--queue", "--concurrency", "--grace", "--health", "--json"],
  ],
  [["ui", "--qu"], ["--queue"]],
] as const;

export interface Shells {
  /** Folder of the project. */
  readonly folder: string;
  /** PATH of the shells. */
  readonly path: string;
  /** Returns the output of a shell. */
  run(name: string, ...args: readonly string[]): string;
  /** Returns the output of `engine completion` for a shell; it is the same each time. */
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
