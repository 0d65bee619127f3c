import { describe, expect, it } from "vitest";
import { destroysOthers, foldersEach, nothing, run, states } from "./process-destroy-several.ts";

foldersEach();

describe("--destroy of a program with several apps", () => {
  destroysOthers(["together"], ["quick"]);
  destroysOthers(["each", "caught"], ["quick", "slow"]);

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

  it("reaches apps that it opens one after the other where it chooses the phase itself", async () => {
    await run("chosen");
    const { code, stdout } = await run("chosen", ["--destroy"]);
    expect(stdout).toContain("the program has ended");
    expect(code).toBe(0);
    expect(await states("quick", "slow")).toEqual([nothing, nothing]);
    await run("chosen");
    expect(await run("chosen", ["--destroy"], { BAD: "slow" })).toMatchObject({ code: 1 });
  });
});
