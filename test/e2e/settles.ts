/** The end of a program that is interrupted once. */
import { expect, it } from "vitest";
import { startProgram } from "../helpers/processes/child-program.ts";
import { stateIn } from "../helpers/stores/state-in.ts";
import { cwd } from "./own-folder.ts";

export function settles(signal: "SIGINT" | "SIGTERM", code: number): void {
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
    expect(stderr.split("\n")[0]).toBe(
      "interrupted: waiting for the running handlers (interrupted/dev/first); press Ctrl-C again to end at once",
    );
    expect(await stateIn(cwd, "interrupted")).toEqual({ recorded: ["first"], pending: [], isOpen: false });
  });
}
