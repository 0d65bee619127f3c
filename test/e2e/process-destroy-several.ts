/** A program with several apps, whose destroy is told to fail. */
import { expect, it } from "vitest";
import { type Ended, runProgram } from "../helpers/child-program.ts";
import { stateIn } from "../helpers/state-in.ts";
import { cwd } from "./own-folder.ts";

export const run = (
  MODE: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> => runProgram("several", { cwd, args, env: { MODE, ...env } });
export const nothing = { recorded: [], pending: [], isOpen: false };
export const states = (...names: string[]): Promise<unknown[]> => Promise.all(names.map((name) => stateIn(cwd, name)));

/**
 * @param modes how it opens them
 * @param broken which of them fails
 */
export function destroysOthers(modes: readonly string[], broken: readonly string[]): void {
  it.each([...modes])("does so although one of them fails (%s): exit code 1, and it says why", async (mode) => {
    for (const bad of broken) {
      await run("together");
      const { code, stderr } = await run(mode, ["--destroy"], { BAD: bad });
      expect(code).toBe(1);
      expect(stderr).toContain(`FAILED   ${bad}/dev/a  (e2e:SeveralThing, delete)`);
      expect(stderr).toContain("It is bolted to the floor.");
      const others = ["quick", "slow", "third"].filter((name) => name !== bad);
      expect(await states(...others)).toEqual([nothing, nothing]);
      expect((await run(mode, ["--destroy"])).code).toBe(0);
    }
  });
}

/** @param modes how it opens them */
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
