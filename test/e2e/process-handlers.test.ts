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
      "after engine(): 4",
      "after finalize(): 0",
      "after app.run() on a finalized app: 4",
      "after its finalize(): 0",
      "after onCleanup() on a finalized app: 4",
      "with another app that is given its argv: 4",
      "after INVALID_NAME: 4",
      "after an engine() that could not start: 4",
    ]);
    expect(code).toBe(0);
  });
});
