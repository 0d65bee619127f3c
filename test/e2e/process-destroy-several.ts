/** A program with several apps, whose destroy is told to fail. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Ended, runProgram } from "../helpers/child-program.ts";
import { stateIn } from "../helpers/state-in.ts";

export let cwd = "";

/** Gives each test a folder of its own. */
export function foldersEach(): void {
  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), "process-"));
  });
  afterEach(() => rm(cwd, { recursive: true }));
}

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
