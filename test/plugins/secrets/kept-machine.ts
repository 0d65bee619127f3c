/** A machine with one stage whose password ENGINE_PASSWORD_CACHE allows to keep; each run is a process of its own. */
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { runProgram } from "../../helpers/processes/child-program.ts";
import { newFolder } from "../../helpers/processes/new-folder.ts";

export const PASSWORD = "correct horse of kept keys";

/** Costs of the derivations for the stage, and for the file of a kept key. */
export const [STAGE, FILE] = [2 ** 14, 2 ** 13];

export interface Told {
  readonly outcome: unknown;
  /** Costs of the derivations. */
  readonly derived: readonly number[];
  readonly warnings: readonly string[];
}

export async function machine() {
  const cwd = await newFolder();
  const folder = join(cwd, "home/.local/state/scope-engine/passwords");
  const run = async (env: Readonly<Record<string, string>> = {}): Promise<Told> => {
    const usual = { HOME: join(cwd, "home"), XDG_STATE_HOME: "", ENGINE_PASSWORD: PASSWORD };
    const consent = { ENGINE_PASSWORD_CACHE: "15m" };
    const { stdout, stderr } = await runProgram("kept-key", { cwd, env: { ...usual, ...consent, ...env } });
    return JSON.parse(stdout || JSON.stringify({ outcome: stderr }));
  };
  const names = (): Promise<readonly string[]> => readdir(folder).catch(() => []);
  const file = async (): Promise<string> => join(folder, (await names())[0] ?? "none");
  await mkdir(join(cwd, "home"));
  return { cwd, folder, run, names, file };
}

export const first = { outcome: "done", derived: [STAGE, FILE], warnings: [] };
export const again = { outcome: "done", derived: [FILE], warnings: [] };
export const none = { outcome: "done", derived: [STAGE], warnings: [] };
export const wrong = { code: "WRONG_PASSWORD", message: expect.stringContaining("it does not decrypt") };
