import { describe, expect, it } from "vitest";
import { runProgram } from "../helpers/processes/child-program.ts";
import { cwd, folderEach } from "./own-folder.ts";

folderEach();

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

  it("of the program get an error that is thrown after a failed run, and it continues", async () => {
    const { code, stdout, stderr } = await runProgram("failed", { cwd, args: ["--quiet", "throwing"] });
    expect(stdout).toContain("mine: It is not about the run.");
    expect(stdout).toContain("the program has ended");
    expect(stderr).not.toContain("It is not about the run.");
    expect(code).toBe(1);
  });
});
