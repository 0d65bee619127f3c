import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runProgram, startProgram } from "../helpers/child-program.ts";
import { stateIn } from "../helpers/state-in.ts";

let cwd = "";
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "process-"));
});
afterEach(() => rm(cwd, { recursive: true }));

describe("a program that ends without finalize", () => {
  it("gets a warning, its session is closed, nothing is pruned, and it exits with 0", async () => {
    const { code, stdout, stderr } = await runProgram("unfinished", { cwd });
    expect(stderr).toBe(
      'warning  The run of "unfinished/dev" ends without finalize(): nothing was pruned, 1 resources stay recorded. [NOT_FINALIZED]',
    );
    expect(stdout.split("\n").slice(-1)).toEqual(["cleaned"]);
    expect(code).toBe(0);
    expect(await stateIn(cwd, "unfinished")).toEqual({ recorded: ["a"], pending: [], isOpen: false });
  });
});

describe("a program that waits for what cannot happen", () => {
  it("such as a deferred function at top level, does not hang: Node ends it with 13, the session is closed", async () => {
    const { code, stdout, stderr } = await runProgram("stuck", { cwd, args: ["deferred"] });
    expect(code).toBe(13);
    expect(stderr).toContain("[NOT_FINALIZED]");
    expect(stdout).toContain("cleaned");
    expect(await stateIn(cwd, "stuck")).toEqual({ recorded: [], pending: [], isOpen: false });
  });

  it("in a handler that listens to its signal, does not hang: the handler is told", async () => {
    const { code, stdout, stderr } = await runProgram("stuck", { cwd, args: ["listening"] });
    expect(code).toBe(1);
    expect(stderr).toContain("Told.");
    expect(stdout).toContain("cleaned");
    expect(await stateIn(cwd, "stuck")).toEqual({ recorded: [], pending: ["a"], isOpen: false });
  });

  it.each([["deaf"], ["unawaited"]])("in a handler that does not listen (%s), does not hang", async (mode) => {
    const { code, stderr } = await runProgram("stuck", { cwd, args: [mode] });
    expect(code).toBe(1);
    expect(stderr).toContain("handlers have not settled");
    expect(await stateIn(cwd, "stuck")).toMatchObject({ recorded: [], pending: ["a"] });
  });

  it("such as finalize inside of finalize, does not hang", async () => {
    const { code } = await runProgram("stuck", { cwd, args: ["finalize"] });
    expect(code).not.toBe(0);
  });
});

describe("onCleanup", () => {
  it("runs the last registered first, awaits each, and leaves behind what takes too long", async () => {
    const { code, stdout, stderr } = await runProgram("cleanup", { cwd, args: ["finalized"] });
    expect(stdout.split("\n").filter((line) => line.startsWith("cleaned"))).toEqual([
      "cleaned: handler, asynchronous",
      "cleaned: second",
      "cleaned: first",
    ]);
    expect(stderr).toBe("warning  The port is gone. [CLEANUP_FAILED]");
    expect(code).toBe(0);
  });

  it("runs when Ctrl-C ends a program that is finalized", async () => {
    const program = startProgram("cleanup", { cwd, args: ["serving"] });
    await program.printed("serving");
    program.process.kill("SIGINT");
    const { code, stdout } = await program.ended;
    expect(stdout.split("\n").filter((line) => line.startsWith("cleaned"))).toHaveLength(3);
    expect(code).toBe(130);
  });

  it("runs what is registered after finalize", async () => {
    const { code, stdout } = await runProgram("cleanup", { cwd, args: ["late"] });
    expect(stdout).toContain("cleaned: late");
    expect(code).toBe(0);
  });
});
