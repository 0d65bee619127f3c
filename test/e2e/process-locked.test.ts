import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runProgram, startProgram } from "../helpers/processes/child-program.ts";
import { stateIn } from "../helpers/stores/state-in.ts";

let cwd = "";
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), "process-"));
});
afterEach(() => rm(cwd, { recursive: true }));

describe("two processes on one stage", () => {
  it("the second one is STATE_LOCKED, names the owner, and exits with 3; both never create", async () => {
    const holder = startProgram("locked", { cwd, args: ["holder"] });
    await holder.printed("holding");
    const second = await runProgram("locked", { cwd, args: ["second"] });
    expect(second.code).toBe(3);
    expect(second.stderr).toContain("[STATE_LOCKED]");
    expect(second.stderr).toContain(String(holder.process.pid));
    expect(second.stdout).toBe("");
    holder.process.kill("SIGINT");
    expect(await holder.ended).toMatchObject({ code: 130 });
    expect(await stateIn(cwd, "locked")).toEqual({ recorded: ["holder"], pending: [], isOpen: false });
    expect(await runProgram("locked", { cwd, args: ["second"] })).toMatchObject({ code: 0 });
  });
});
