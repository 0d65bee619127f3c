import { describe, expect, it } from "vitest";
import { startProgram } from "../helpers/processes/child-program.ts";
import { cwd, folderEach } from "./own-folder.ts";
import { destroysAll, nothing, run, states } from "./process-destroy-several.ts";

folderEach();

describe("--destroy of a program with several apps", () => {
  destroysAll(["each"]);

  it.each(["together", "each", "caught"])(
    "does so although one of them fails (%s): exit code 1, and it says why",
    async (mode) => {
      for (const bad of ["quick", "slow"]) {
        await run("together");
        const { code, stderr } = await run(mode, ["--destroy"], { BAD: bad });
        expect(code).toBe(1);
        expect(stderr).toContain(`FAILED   ${bad}/dev/a  (e2e:SeveralThing, delete)`);
        expect(stderr).toContain("It is bolted to the floor.");
        const others = ["quick", "slow", "third"].filter((name) => name !== bad);
        expect(await states(...others)).toEqual([nothing, nothing]);
        expect((await run(mode, ["--destroy"])).code).toBe(0);
      }
    },
  );

  it("destroys only the first of those that it opens one after the other, and says which", async () => {
    await run("sequence");
    const { code, stdout } = await run("sequence", ["--destroy"]);
    expect(stdout.split("\n").at(-1)).toMatch(/^quick\/dev destroy done in .*: 1 deleted$/);
    expect(code).toBe(0);
    expect(await states("quick", "slow")).toEqual([nothing, { ...nothing, recorded: ["a"] }]);
  });

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

  it("can be interrupted while one of them is gone and waits for the others", async () => {
    await run("together");
    const program = startProgram("several", { cwd, args: ["--destroy"], env: { MODE: "together", HELD: "slow" } });
    await program.printed("quick/dev destroy done");
    program.process.kill("SIGINT");
    const { code, stderr } = await program.ended;
    expect(code).toBe(130);
    expect(stderr).not.toContain("before everything has settled");
    expect((await run("together", ["--destroy"])).code).toBe(0);
    expect(await states("quick", "slow", "third")).toEqual([nothing, nothing, nothing]);
  });

  it("goes on where the destroy of one of them waits for its finalize()", async () => {
    await run("late");
    const { code, stdout, stderr } = await run("late", ["--destroy"]);
    expect(stderr).toBe("");
    expect(stdout).toContain("deleted  late/dev/a");
    expect(stdout).toContain("the program has ended");
    expect(code).toBe(0);
    expect(await states("late", "quick")).toEqual([nothing, nothing]);
  });

  it("goes on where one of them has a phase of its own and is live, such as an app around", async () => {
    await run("inside");
    const { code, stdout, stderr } = await run("inside", ["--destroy"]);
    expect(stderr).toContain("[PHASE_CONFLICT]");
    expect(stderr).not.toContain("[NOT_FINALIZED]");
    expect(stdout).toContain("deleted  quick/dev/a");
    expect(stdout).toContain("outer is finalized");
    expect(code).toBe(0);
    expect(await states("quick", "outer")).toEqual([nothing, { ...nothing, recorded: ["a"] }]);
  });

  it("does not go on for an app that only reads", async () => {
    await run("inside");
    const { code, stdout } = await run("read", ["--destroy"]);
    expect(stdout).toContain("quick/dev destroy done");
    expect(stdout).not.toContain("finalized");
    expect(code).toBe(0);
    expect(await states("quick", "outer")).toEqual([nothing, { ...nothing, recorded: ["a"] }]);
  });

  it("reaches apps that it opens one after the other if it chooses the phase itself", async () => {
    await run("chosen");
    const { code, stdout } = await run("chosen", ["--destroy"]);
    expect(stdout).toContain("the program has ended");
    expect(code).toBe(0);
    expect(await states("quick", "slow")).toEqual([nothing, nothing]);
    await run("chosen");
    expect(await run("chosen", ["--destroy"], { BAD: "slow" })).toMatchObject({ code: 1 });
  });
});
