import { describe, expect, it } from "vitest";
import { endSession, listProcesses } from "../../plugins/processes/kept/list.js";
import { runProgram, startProgram } from "../helpers/processes/child-program.ts";
import { isAlive, roots } from "../helpers/processes/processes.ts";
import { inSession, killedRun, pidSaid } from "./spawning.ts";

const newRoot = roots();

describe("a program that spawns a process", () => {
  it("is not held up by it, and ends it when it ends", async () => {
    const { code, stdout, stderr } = await runProgram("spawning", { cwd: await newRoot() });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(isAlive(pidSaid(stdout))).toBe(false);
  });

  it("and is killed leaves it to the next run, which takes it and ends it with itself", async () => {
    const cwd = await newRoot();
    const pid = await killedRun(cwd);
    const { stdout } = await runProgram("spawning", { cwd });
    expect(pidSaid(stdout)).toBe(pid);
    expect(isAlive(pid)).toBe(false);
  });

  it("ends it when SIGTERM ends the program", async () => {
    const program = startProgram("spawning", { cwd: await newRoot(), args: ["wait"] });
    await program.printed("spawned");
    program.process.kill("SIGTERM");
    expect(isAlive(pidSaid((await program.ended).stdout))).toBe(false);
  });
});

describe("in a session", () => {
  it("the program ends, and the process when the session does, whatever other sessions there are", async () => {
    const cwd = await newRoot();
    const { stdout } = await runProgram("spawning", { cwd, ...inSession("one") });
    const pid = pidSaid(stdout);
    expect(isAlive(pid)).toBe(true);
    expect(await listProcesses(cwd)).toMatchObject([
      { app: "spawning", stage: "dev", fqn: "spawning/dev/web", pid, session: "one", status: "alive", keeper: "run" },
    ]);
    expect(await endSession(cwd, "two")).toEqual([]);
    expect(isAlive(pid)).toBe(true);
    expect((await endSession(cwd, "one")).map((ended) => ended.pid)).toEqual([pid]);
    expect(isAlive(pid)).toBe(false);
    expect(await listProcesses(cwd)).toEqual([]);
  });
});
