import { describe, expect, it } from "vitest";
import { runProgram } from "../helpers/processes/child-program.ts";
import { cwd, folderEach } from "./own-folder.ts";

folderEach();

describe("handlers of the process", () => {
  it.each([
    ["are gone after a run that failed, which the program caught", "caught", ["caught", "handlers: 0"]],
    ["are there in the run after one that failed", "again", ["caught", "while it runs again: 4", "handlers: 0"]],
    ["stay after a run that failed for what is to be cleaned up", "cleanup", ["caught", "handlers: 4"]],
  ])("%s; the exit code is 1", async (_what, mode, lines) => {
    const { code, stdout, stderr } = await runProgram("failed", { cwd, args: ["--quiet", mode] });
    const cleaned = mode === "cleanup" ? ["cleaned"] : [];
    expect(stdout.split("\n")).toEqual([...lines, "the program has ended", ...cleaned]);
    expect(stderr).toMatch(/^FAILED .*: No paper\.$/m);
    expect(code).toBe(1);
  });

  it("are there for the failure of a finalize() that is not awaited", async () => {
    const { code, stdout, stderr } = await runProgram("failed", { cwd, args: ["--quiet", "unawaited"] });
    // Reported by the run itself, with its stack, and not again by the process.
    expect(stderr).toMatch(/^FAILED {3}failed\/dev\/bad {2}\(e2e:FailedThing, create\): No paper\.$/m);
    expect(stderr).not.toContain("RUN_FAILED");
    expect(stdout).not.toContain("caught");
    expect(code).toBe(1);
  });
});
