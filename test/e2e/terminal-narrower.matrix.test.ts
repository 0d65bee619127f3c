import { expect, it } from "vitest";
import { compiledProgram } from "../helpers/processes/compiled-program.ts";
import { newFolder } from "../helpers/processes/new-folder.ts";
import { lacksTerminal, openTerminal } from "../helpers/terminal/terminal.ts";
import { describeUnless } from "../servers/given.ts";

const program = compiledProgram(new URL("terminal-narrower.child.ts", import.meta.url));

describeUnless(lacksTerminal, "a live view on a terminal that becomes narrower while the process is busy", () => {
  it("leaves no row behind, and takes none of the lines above it", async () => {
    const terminal = await openTerminal([process.execPath, program], {
      cwd: await newFolder(),
      columns: 100,
      rows: 30,
    });
    try {
      await terminal.shows(/^y{99}$/m);
      await terminal.resize(40, 30);
      const screen = await terminal.until((lines) => lines.some((line) => line === "second"));
      expect(screen.filter((line) => line !== "before")).toEqual(["second", "x".repeat(39), "y".repeat(39)]);
      expect((await terminal.ended()).filter((line) => line !== "before")).toEqual(["ended with 0"]);
    } finally {
      await terminal.close();
    }
  });
});
