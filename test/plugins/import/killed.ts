/** Kills a command at each of its changes, and looks at what each kill leaves. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isLong } from "../../helpers/checks/sampling.ts";
import { type Finished, plainEnv } from "../../helpers/processes/engine-project.ts";
import { builtMain } from "../../helpers/processes/project-with-peers.ts";

const LOADER = pathToFileURL(fileURLToPath(new URL("dies-at-change.mjs", import.meta.url))).href;

export interface Killing {
  /** Folder of the project. */
  readonly folder: string;
  /** Called before each run; may name another store. */
  readonly env: () => Readonly<Record<string, string>>;
  /** The killed command. */
  readonly args: readonly string[];
  /** Changes from one kill to the next. Default: 1. */
  readonly step?: number;
  /** True: what a kill leaves is also outside of the folder, so that equal files do not show that it is the same. */
  readonly isElsewhere?: boolean;
  /** Called after each kill that left something new, and after the run that ended by itself. */
  readonly check: (where: string) => Promise<void>;
}

/** Runs the built command with the loader's variables, in a folder that is put back each time. */
export async function killAtEach(killing: Killing): Promise<number> {
  const { folder, env, args, step = 1, isElsewhere = false, check } = killing;
  const start = `${folder}-start`;
  await cp(folder, start, { recursive: true, verbatimSymlinks: true });
  try {
    let before = "";
    for (let at = 1; ; at += isLong ? 1 : step) {
      await rm(folder, { recursive: true });
      await cp(start, folder, { recursive: true, verbatimSymlinks: true });
      const { code, stderr } = await runBuilt(folder, args, { ...env(), ...dyingAt(at) });
      if (code !== null && code !== 0) throw new Error(`It ended with ${code}:\n${stderr}`);
      const left = await treeOf(folder);
      if (left !== before || isElsewhere || code === 0) await check(`change ${at}, after\n${left}`);
      before = left;
      if (code === 0) return at;
    }
  } finally {
    await rm(start, { recursive: true });
  }
}

/** Variables of a process that is killed just before a change, or that runs a shell command then. */
export function dyingAt(change: number, command?: string): Readonly<Record<string, string>> {
  const dying = { DIE_AT: String(change), NODE_OPTIONS: `--import=${LOADER}` };
  return command === undefined ? dying : { ...dying, AT_CHANGE: command };
}

export async function runBuilt(
  cwd: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input?: string,
): Promise<Finished> {
  const child = spawn(process.execPath, [builtMain, ...args], { cwd, env: { ...plainEnv(), ...env } });
  child.stdin.end(input);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, stdout, stderr };
}

/** Names and sizes of all files, without random parts of names. */
async function treeOf(folder: string): Promise<string> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const lines = entries.map(async (entry) => {
    const path = join(entry.parentPath, entry.name);
    const size = entry.isFile() ? (await stat(path)).size : "";
    return `${path.slice(folder.length).replaceAll(/[0-9a-f-]{36}/g, "ID")} ${size}`;
  });
  return (await Promise.all(lines)).sort().join("\n");
}
