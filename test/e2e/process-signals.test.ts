import { describe, expect, it } from "vitest";
import { startProgram } from "../helpers/processes/child-program.ts";
import { stateIn } from "../helpers/stores/state-in.ts";
import { cwd, folderEach } from "./own-folder.ts";
import { settles } from "./settles.ts";

folderEach();

describe("SIGINT", () => settles("SIGINT", 130));

describe("a second Ctrl-C", () => {
  it("ends the process at once, although a handler does not listen", async () => {
    const program = startProgram("interrupted", { cwd, args: ["deaf"] });
    await Promise.all([program.printed("running"), program.printed("deaf")]);
    program.process.kill("SIGINT");
    await program.printed("signal: The run was interrupted by SIGINT.");
    program.process.kill("SIGINT");
    const { stderr, ...end } = await program.ended;
    expect(end).toMatchObject({ code: 130, signal: null });
    expect(stderr.split("\n").at(-1)).toBe(
      "interrupted again: ending now, without waiting for the running handlers (interrupted/dev/deaf)",
    );
    const { pending, isOpen } = await stateIn(cwd, "interrupted");
    expect({ pending, isOpen }).toEqual({ pending: ["deaf"], isOpen: true });
  });
});
