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

describe.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("%s", (signal, code) => {
  it(`once lets a running handler see its signal, records its result, closes the session and exits with ${code}`, async () => {
    const program = startProgram("interrupted", { cwd });
    await program.printed("running");
    program.process.kill(signal);
    const { stdout, stderr, ...end } = await program.ended;
    expect(end).toEqual({ code, signal: null });
    expect(stdout).toContain(`signal: The run was interrupted by ${signal}.`);
    expect(stdout).toContain("cleaned");
    expect(stdout).not.toContain("finalized");
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect(await stateIn(cwd, "interrupted")).toEqual({ recorded: ["first"], pending: [], isOpen: false });
  });
});

describe("a second Ctrl-C", () => {
  it("ends the process at once, although a handler does not listen", async () => {
    const program = startProgram("interrupted", { cwd, args: ["deaf"] });
    await Promise.all([program.printed("running"), program.printed("deaf")]);
    program.process.kill("SIGINT");
    await program.printed("signal: The run was interrupted by SIGINT.");
    program.process.kill("SIGINT");
    expect(await program.ended).toMatchObject({ code: 130, signal: null });
    const { pending, isOpen } = await stateIn(cwd, "interrupted");
    expect({ pending, isOpen }).toEqual({ pending: ["deaf"], isOpen: true });
  });

  it("does not keep the next run from taking over at once", async () => {
    const program = startProgram("interrupted", { cwd, args: ["deaf"] });
    await Promise.all([program.printed("running"), program.printed("deaf")]);
    program.process.kill("SIGINT");
    await program.printed("signal: The run was interrupted by SIGINT.");
    program.process.kill("SIGINT");
    await program.ended;
    const { code, stderr } = await runProgram("unfinished", { cwd, env: { APP: "interrupted" } });
    expect(stderr).toContain("resuming after");
    expect(code).toBe(0);
  });
});
