/** Real processes on one stage in files. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { fsStoreAt } from "../../../adapters/fs/index.js";
import { type RunningProgram, startProgram } from "../../helpers/processes/child-program.js";
import { loadFrom } from "../../helpers/stores/journals.js";

/** Folder of the running test. */
export let cwd: string;
let children: RunningProgram[];

/** Gives each test a folder, and ends its processes with it. */
export function contendersEach(): void {
  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), "processes-"));
    children = [];
  });
  afterEach(async () => {
    for (const { process, ended } of children) {
      process.kill("SIGKILL");
      await ended;
    }
    await rm(cwd, { recursive: true });
  });
}

export function contender(...args: string[]): RunningProgram {
  const child = startProgram("contender", { cwd, args });
  children.push(child);
  return child;
}

/** Actions in the world, sorted. */
export async function world(): Promise<string[]> {
  const text = await readFile(join(cwd, "world.log"), "utf8").catch(() => "");
  return text.split("\n").filter(Boolean).sort();
}

export async function state() {
  const { head, contents } = await loadFrom(fsStoreAt(join(cwd, ".engine")));
  const keys = [...contents.records.values()].map(({ key, status }) => (status === "ready" ? key : `${key} ${status}`));
  return { keys: keys.sort(), isOpen: head.open !== undefined };
}

export function names(prefixes: readonly string[], count: number): string[] {
  return prefixes.flatMap((prefix) => Array.from({ length: count }, (_, index) => `${prefix}${index}`)).sort();
}
