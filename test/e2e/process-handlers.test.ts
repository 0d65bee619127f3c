import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runProgram } from "../helpers/child-program.ts";

let cwd = "";
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "process-"));
});
afterEach(() => rm(cwd, { recursive: true }));

describe("handlers of the process", () => {
  it("are there while an app is live or has something to clean up, and at no other time", async () => {
    const { code, stdout, stderr } = await runProgram("handlers", { cwd, args: ["--quiet"] });
    expect(stderr).toBe("");
    expect(stdout.split("\n")).toEqual([
      "before engine(): 0",
      "after engine(): 5",
      "after finalize(): 0",
      "after app.run() on a finalized app: 5",
      "after its finalize(): 0",
      "after onCleanup() on a finalized app: 5",
      "with another app that is given its argv: 5",
      "after INVALID_NAME: 5",
      "after an engine() that could not start: 5",
    ]);
    expect(code).toBe(0);
  });

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

  it("of the program get what is thrown after a run that failed, and it goes on", async () => {
    const { code, stdout, stderr } = await runProgram("failed", { cwd, args: ["--quiet", "throwing"] });
    expect(stdout).toContain("mine: It is not about the run.");
    expect(stdout).toContain("the program has ended");
    expect(stderr).not.toContain("It is not about the run.");
    expect(code).toBe(1);
  });

  it("are there for the failure of a finalize() that nobody awaits", async () => {
    const { code, stdout, stderr } = await runProgram("failed", { cwd, args: ["--quiet", "unawaited"] });
    // By the run itself, with its stack; and not again by the process.
    expect(stderr).toMatch(/^FAILED {3}failed\/dev\/bad {2}\(e2e:FailedThing, create\): No paper\.$/m);
    expect(stderr).not.toContain("RUN_FAILED");
    expect(stdout).not.toContain("caught");
    expect(code).toBe(1);
  });
});
