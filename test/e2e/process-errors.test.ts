import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runProgram } from "../helpers/child-program.ts";
import { stateIn } from "../helpers/state-in.ts";

let cwd = "";
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "process-"));
});
afterEach(() => rm(cwd, { recursive: true }));

const password = "correct-horse-battery";
const times = (text: string, part: string): number => text.split(part).length - 1;

describe("an error that nobody catches", () => {
  it.each([
    ["an exception", "thrown"],
    ["a rejection", "rejected"],
    ["an exception at top level", "top-level"],
  ])("%s records results, closes the session, tells its message once and exits with 1", async (_what, mode) => {
    const { code, stdout, stderr } = await runProgram("throwing", {
      cwd,
      args: [mode],
      env: { ENGINE_PASSWORD: password },
    });
    expect(code).toBe(1);
    expect(times(stderr, "The program is broken.")).toBe(1);
    expect(stderr).toMatch(
      /^error {4}Error: The program is broken\.\n {13}at .*throwing\.child\.js:\d+:\d+\S*(?!\n +at )/,
    );
    expect(`${stdout}${stderr}`).not.toContain(password);
    expect(stdout).toContain("cleaned");
    expect(await stateIn(cwd, "throwing")).toEqual({ recorded: ["a"], pending: [], isOpen: false });
  });

  it("that is followed by others tells all of them, and still records results", async () => {
    const { code, stderr } = await runProgram("throwing", { cwd, args: ["several"] });
    expect(code).toBe(1);
    expect(times(stderr, "The program is broken.")).toBe(1);
    expect(times(stderr, "And so is this.")).toBe(2);
    expect(await stateIn(cwd, "throwing")).toEqual({ recorded: ["a"], pending: [], isOpen: false });
  });

  it("of a resource exits with 1, and is told once, with the program's own line", async () => {
    const { code, stderr } = await runProgram("throwing", { cwd, args: ["resource"] });
    expect(code).toBe(1);
    const lines = stderr.split("\n");
    expect(lines[0]).toBe("FAILED   throwing/dev/b  (e2e:BrokenThing, create): No paper.");
    expect(lines[1]).toMatch(/^ {13}at .*throwing\.child\.js:\d+/);
    // Not by the summary, nor by the error that nobody caught, nor for want of a finalize() that it has prevented.
    expect(times(stderr, "No paper.")).toBe(1);
    expect(lines.filter((line) => line.includes(" at "))).toHaveLength(1);
    expect(stderr).not.toMatch(/EngineError|NOT_FINALIZED|ABORTED/);
    expect(await stateIn(cwd, "throwing")).toEqual({ recorded: ["a"], pending: ["b"], isOpen: false });
  });
});
