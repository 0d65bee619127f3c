import { describe, expect, it } from "vitest";
import { runProgram, startProgram } from "../helpers/processes/child-program.ts";
import { eventsIn } from "./events-in.ts";
import { cwd, folderEach } from "./own-folder.ts";

folderEach();

describe("a process with --json", () => {
  it("tells of a start that failed, and how to get on, and exits with 3", async () => {
    const holder = startProgram("locked", { cwd, args: ["holder"] });
    await holder.printed("holding");
    const { code, stdout, stderr } = await runProgram("locked", { cwd, args: ["--json", "second"] });
    expect(code).toBe(3);
    expect(eventsIn(stdout)).toMatchObject([
      {
        type: "run:failed",
        code: "STATE_LOCKED",
        message: expect.stringContaining("engine state unlock"),
        holder: { pid: holder.process.pid, process: "runs" },
      },
    ]);
    expect(stderr.match(/STATE_LOCKED/g)).toHaveLength(1);
    holder.process.kill("SIGKILL");
    await holder.ended;
    const next = await runProgram("locked", { cwd, args: ["--json", "second"] });
    expect(eventsIn(next.stdout).map(({ type }) => type)).toContain("state:taken-over");
    expect(next.stderr).toBe("holding");
  });

  it("says when the process ends behind a destroy", async () => {
    await runProgram("stage", { cwd });
    const { code, stdout } = await runProgram("stage", { cwd, args: ["--destroy", "--json"] });
    expect(code).toBe(0);
    expect(eventsIn(stdout).map(({ type }) => type)).toEqual(
      expect.arrayContaining(["resource:deleted", "run:finished", "program:ended"]),
    );
  });
});
