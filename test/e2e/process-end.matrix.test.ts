import { describe, expect, it } from "vitest";
import { runProgram, startProgram } from "../helpers/processes/child-program.ts";
import { stateIn } from "../helpers/stores/state-in.ts";
import { cwd, folderEach } from "./own-folder.ts";

folderEach();

describe("a program that waits for an event that cannot happen", () => {
  it("in a handler that listens to its signal, does not hang: the handler is notified", async () => {
    const { code, stdout, stderr } = await runProgram("stuck", { cwd, args: ["listening"] });
    expect(code).toBe(1);
    expect(stderr).toContain("Told.");
    expect(stdout).toContain("cleaned");
    expect(await stateIn(cwd, "stuck")).toEqual({ recorded: [], pending: ["a"], isOpen: false });
  });

  it.each([["deaf"], ["unawaited"]])("in a handler that does not listen (%s), does not hang", async (mode) => {
    const { code, stderr } = await runProgram("stuck", { cwd, args: [mode] });
    expect(code).toBe(1);
    expect(stderr).toContain("before everything has settled");
    expect(await stateIn(cwd, "stuck")).toMatchObject({ recorded: [], pending: ["a"] });
  });

  it("such as finalize inside of finalize, does not hang, and says so", async () => {
    const { code, stderr } = await runProgram("stuck", { cwd, args: ["finalize"] });
    expect(code).toBe(1);
    expect(stderr).toContain('           - a deferred function of "stuck/dev"');
  });

  it.each([
    [
      "handler",
      [
        '           - "stuck/dev/a", which is running',
        '           - "stuck/dev/b", which waits for a deferred function',
      ],
    ],
    ["run", ['           - the run of "stuck/dev/s"']],
    ["unseen", ['           - "stuck/dev/a", which waits for a promise in its props']],
    ["another", ['           - a deferred function of "stuck/dev"']],
  ])("such as a deferred value where finalize cannot see it (%s), does not end silently", async (mode, awaited) => {
    const { code, stderr } = await runProgram("stuck", { cwd, args: [mode] });
    expect(code).toBe(1);
    const lines = stderr.split("\n");
    const start = lines.findIndex((line) => line.startsWith('error    The run of "stuck/dev" cannot continue'));
    expect(lines.slice(start + 1, start + 1 + awaited.length)).toEqual(awaited);
    expect(lines[start + 1 + awaited.length]).toMatch(
      /^ {9}finalize\(\) runs deferred functions only after all of these have settled \(not run yet: 1\)\./,
    );
  });

  it("such as a delete that never ends, says which", async () => {
    await runProgram("stuck", { cwd, args: ["made"] });
    const { code, stderr } = await runProgram("stuck", { cwd, args: ["pruned"], env: { STUCK: "delete" } });
    expect(code).toBe(1);
    expect(stderr).toContain('  - the delete of "stuck/dev/a"');
  });

  it("such as a resource with a deferred value, awaited before finalize, ends with an error that names it", async () => {
    const { code, stdout, stderr } = await runProgram("stuck", { cwd, args: ["unfinalized"] });
    expect(code).toBe(1);
    expect(stderr).toContain("FAILED   stuck/dev/a  (e2e:Note, create)");
    expect(stderr).toMatch(/Deferred functions that did not run: 1\. .*\[NOT_FINALIZED\]/);
    expect(stdout).toContain("cleaned");
    expect(await stateIn(cwd, "stuck")).toEqual({ recorded: [], pending: [], isOpen: false });
  });
});

describe("onCleanup", () => {
  it("runs when Ctrl-C ends a program that is finalized", async () => {
    const program = startProgram("cleanup", { cwd, args: ["serving"] });
    await program.printed("serving");
    program.process.kill("SIGINT");
    const { code, stdout } = await program.ended;
    expect(stdout.split("\n").filter((line) => line.startsWith("cleaned"))).toHaveLength(3);
    expect(code).toBe(130);
  });

  it("runs a function that is registered after finalize", async () => {
    const { code, stdout } = await runProgram("cleanup", { cwd, args: ["late"] });
    expect(stdout).toContain("cleaned: late");
    expect(code).toBe(0);
  });

  it("runs the last registered first, awaits each, and leaves behind a function that takes too long", async () => {
    const { code, stdout, stderr } = await runProgram("cleanup", { cwd, args: ["finalized"] });
    expect(stdout.split("\n").filter((line) => line.startsWith("cleaned"))).toEqual([
      "cleaned: handler, asynchronous",
      "cleaned: second",
      "cleaned: first",
    ]);
    expect(stderr).toBe("warning  The port is gone. [CLEANUP_FAILED]");
    expect(code).toBe(0);
  });
});

describe("a program with a deferred value in the props of a resource", () => {
  it("makes the resource when the function has run, and exits with 0", async () => {
    const { code, stdout, stderr } = await runProgram("stuck", { cwd, args: ["props"] });
    expect(stderr).toBe("");
    expect(stdout.split("\n")).toContain("made: deferred");
    expect(code).toBe(0);
    expect(await stateIn(cwd, "stuck")).toEqual({ recorded: ["a"], pending: [], isOpen: false });
  });
});
