import { describe, expect, it } from "vitest";
import { startProgram } from "../helpers/child-program.ts";
import { cwd, destroysOthers, foldersEach, nothing, run, states } from "./process-destroy-several.ts";

foldersEach();

describe("--destroy of a program with several apps", () => {
  it.each(["together", "each"])(
    "that it opens at once (%s) destroys all of them, and ends the process with 0",
    async (mode) => {
      await run(mode);
      const { code, stdout, stderr } = await run(mode, ["--destroy"]);
      expect(stderr).toBe("");
      expect(code).toBe(0);
      for (const name of ["quick", "slow", "third"]) expect(stdout).toContain(`deleted  ${name}/dev/a`);
      expect(stdout).not.toContain("finalized");
      expect(stdout.trimEnd().split("\n").at(-1)).toMatch(/^(quick|slow|third)\/dev destroy done in .*: 1 deleted$/);
      expect(await states("quick", "slow", "third")).toEqual([nothing, nothing, nothing]);
    },
  );

  // The matrix has the other ways to open them, and another one that fails.
  destroysOthers(["together"], ["slow"]);

  it.each(["together", "caught"])(
    "exits with 3 where one of them belongs to another run (%s), and destroys the others",
    async (mode) => {
      await run("together");
      const holder = startProgram("locked", { cwd, args: ["holder"] });
      await holder.printed("holding");
      const { code, stderr } = await run(mode, ["--destroy"], { NAMES: "quick slow locked" });
      expect(code).toBe(3);
      if (mode === "together") expect(stderr).toContain("[STATE_LOCKED]");
      expect(await states("quick", "slow")).toEqual([nothing, nothing]);
      holder.process.kill("SIGINT");
      await holder.ended;
    },
  );

  it("destroys only the first of those that it opens one after the other, and says which", async () => {
    await run("sequence");
    const { code, stdout } = await run("sequence", ["--destroy"]);
    expect(stdout.split("\n").at(-1)).toMatch(/^quick\/dev destroy done in .*: 1 deleted$/);
    expect(code).toBe(0);
    expect(await states("quick", "slow")).toEqual([nothing, { ...nothing, recorded: ["a"] }]);
  });

  it("can be interrupted while one of them is gone and waits for the others", async () => {
    await run("together");
    const program = startProgram("several", { cwd, args: ["--destroy"], env: { MODE: "together" } });
    await program.printed("quick/dev destroy done");
    program.process.kill("SIGINT");
    const { code, stderr } = await program.ended;
    expect(code).toBe(130);
    expect(stderr).not.toContain("not all has settled");
    expect((await run("together", ["--destroy"])).code).toBe(0);
    expect(await states("quick", "slow", "third")).toEqual([nothing, nothing, nothing]);
  });
});
