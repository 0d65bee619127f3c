import { describe, expect, it } from "vitest";
import { runProgram } from "../helpers/processes/child-program.ts";
import { eventsIn } from "./events-in.ts";
import { cwd, folderEach } from "./own-folder.ts";

folderEach();

describe("a process with --json", () => {
  it("has nothing but events on standard output; the program's own output meanwhile is on standard error", async () => {
    const { code, stdout, stderr } = await runProgram("unfinished", { cwd, args: ["--json"] });
    expect(code).toBe(0);
    expect(stderr.split("\n")).toEqual(["ended"]);
    const lines = stdout.split("\n");
    // A function of onCleanup runs when the run is over: standard output belongs to the program again.
    expect(lines.at(-1)).toBe("cleaned");
    expect(eventsIn(lines.slice(0, -1).join("\n")).at(-1)).toMatchObject({ type: "run:finished", ok: true });
  });
});
