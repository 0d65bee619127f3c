import { describe, expect, it } from "vitest";
import type { System } from "../../../core/base/index.js";
import { endGroup, groupLives, ownGroup } from "../../../plugins/internal/process/process-group.js";
import { isAlive, withStranger } from "../../helpers/processes/processes.ts";
import { windows } from "../../helpers/processes/systems.ts";

/** Windows, but with the processes of this machine. */
function windowsOver(run: System["run"]): System {
  return { ...windows(), exists: isAlive, run };
}

describe("ending a process on Windows", () => {
  it("ends it with all that it has started, by taskkill, and sends no signal that would leave these behind", async () => {
    await withStranger(async ({ pid }) => {
      const calls: unknown[] = [];
      const system = windowsOver((program, args) => {
        calls.push([program, args]);
        process.kill(pid, "SIGINT");
        return { status: 0, stdout: `SUCCESS: The process with PID ${pid} has been terminated.\r\n`, stderr: "" };
      });
      await endGroup(pid, 10, system);
      expect(calls).toEqual([[expect.stringMatching(/\\System32\\taskkill\.exe$/), ["/PID", String(pid), "/T", "/F"]]]);
      expect(groupLives(pid, system)).toBe(false);
    });
  });

  it("ends it alone where there is no taskkill, or that may not", async () => {
    for (const said of [undefined, { status: 1, stdout: "", stderr: "ERROR: Access denied\r\n" }]) {
      await withStranger(async ({ pid }) => {
        await endGroup(
          pid,
          10,
          windowsOver(() => said),
        );
        expect(isAlive(pid)).toBe(false);
      });
    }
  });
});

describe("a program in a group of its own", () => {
  it("that is kept is not ended with its parent by Windows, and that is run does not lose its console there", () => {
    expect(ownGroup({ outlives: true }, "win32").detached).toBe(true);
    expect(ownGroup({ outlives: false }, "win32").detached).toBe(false);
  });

  it("leads one wherever there are groups", () => {
    for (const outlives of [true, false]) expect(ownGroup({ outlives }, "darwin").detached).toBe(true);
  });
});
