/** A program with several apps, and the destroy of all of them. */
import { expect, it } from "vitest";
import { type Ended, runProgram } from "../helpers/processes/child-program.ts";
import { stateIn } from "../helpers/stores/state-in.ts";
import { cwd } from "./own-folder.ts";

export const run = (
  MODE: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> => runProgram("several", { cwd, args, env: { MODE, ...env } });
export const nothing = { recorded: [], pending: [], isOpen: false };
export const states = (...names: string[]): Promise<unknown[]> => Promise.all(names.map((name) => stateIn(cwd, name)));

/** @param modes the ways in which it opens them */
export function destroysAll(modes: readonly string[]): void {
  it.each([...modes])("that it opens at once (%s) destroys all of them, and ends the process with 0", async (mode) => {
    await run(mode);
    const { code, stdout, stderr } = await run(mode, ["--destroy"]);
    expect(stderr).toBe("");
    expect(code).toBe(0);
    for (const name of ["quick", "slow", "third"]) expect(stdout).toContain(`deleted  ${name}/dev/a`);
    expect(stdout).not.toContain("finalized");
    expect(stdout.trimEnd().split("\n").at(-1)).toMatch(/^(quick|slow|third)\/dev destroy done in .*: 1 deleted$/);
    expect(await states("quick", "slow", "third")).toEqual([nothing, nothing, nothing]);
  });
}
