import { describe, expect, it } from "vitest";
import { runProgram } from "../helpers/processes/child-program.ts";
import { stateIn } from "../helpers/stores/state-in.ts";
import { cwd, folderEach } from "./own-folder.ts";

folderEach();

describe("a program that ends without finalize", () => {
  it("gets a warning, its session is closed, nothing is pruned, and it exits with 0", async () => {
    const { code, stdout, stderr } = await runProgram("unfinished", { cwd });
    expect(stderr).toBe(
      'warning  The run of "unfinished/dev" ends without finalize(), so nothing was pruned, and 1 resource stays recorded. Await app.finalize() at the end of the program, or use engine.up(). [NOT_FINALIZED]',
    );
    expect(stdout.split("\n").slice(-1)).toEqual(["cleaned"]);
    expect(code).toBe(0);
    expect(await stateIn(cwd, "unfinished")).toEqual({ recorded: ["a"], pending: [], isOpen: false });
  });
});

describe("a program that waits for an event that cannot happen", () => {
  it("such as a deferred function at top level, does not hang: Node ends it with 13, the session is closed", async () => {
    const { code, stdout, stderr } = await runProgram("stuck", { cwd, args: ["deferred"] });
    expect(code).toBe(13);
    expect(stderr).toContain("[NOT_FINALIZED]");
    expect(stdout).toContain("cleaned");
    expect(await stateIn(cwd, "stuck")).toEqual({ recorded: [], pending: [], isOpen: false });
  });
});

describe("onCleanup", () => {
  it("runs after process.exit() as far as it waits for nothing", async () => {
    const { code, stdout, stderr } = await runProgram("cleanup", { cwd, args: ["exits"] });
    expect(stdout.split("\n").filter((line) => line.startsWith("cleaned"))).toEqual([
      "cleaned: second",
      "cleaned: first",
    ]);
    expect(stderr).toBe("warning  The lamp is broken. [CLEANUP_FAILED]");
    expect(code).toBe(3);
  });
});
