import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listProcesses } from "../../plugins/processes/kept/list.js";
import { runProgram, startProgram } from "../helpers/processes/child-program.ts";
import { isAlive, pidIn, roots } from "../helpers/processes/processes.ts";
import { until } from "../helpers/time/until.ts";
import { inSession, killedRun, pidSaid, recorded } from "./spawning.ts";

const newRoot = roots();

describe("a program that spawns a process", () => {
  it("and is killed leaves it to the next run, which ends processes that it does not spawn any more", async () => {
    const cwd = await newRoot();
    const pid = await killedRun(cwd);
    await runProgram("spawning", { cwd, args: ["nothing"] });
    expect(isAlive(pid)).toBe(false);
    expect(await listProcesses(cwd)).toEqual([]);
  });

  it("starts one with another run that spawns it at the same moment", async () => {
    const cwd = await newRoot();
    const programs = [0, 1].map(() => startProgram("spawning", { cwd, args: ["meet", "wait"] }));
    await Promise.all(programs.map((program) => program.printed("there")));
    await writeFile(join(cwd, "go"), "");
    await Promise.all(programs.map((program) => program.printed("spawned")));
    const pid = await recorded(cwd);
    for (const program of programs) program.process.kill("SIGKILL");
    const ends = await Promise.all(programs.map((program) => program.ended));
    expect(ends.map(({ stdout }) => pidSaid(stdout))).toEqual([pid, pid]);
    const started = ends.flatMap(({ stdout }) => stdout.match(/^started \d+$/gm) ?? []);
    expect(started).toEqual([`started ${pid}`]);
  });

  it("ends a command that is under way when it is interrupted, although that hears no SIGTERM", async () => {
    const cwd = await newRoot();
    const program = startProgram("spawning", { cwd, args: ["exec", "wait"] });
    const pid = await pidIn(join(cwd, "exec.pid"));
    program.process.kill("SIGINT");
    expect((await program.ended).code).toBe(130);
    expect(isAlive(pid)).toBe(false);
  });

  it("ends it when SIGINT ends the program", async () => {
    const program = startProgram("spawning", { cwd: await newRoot(), args: ["wait"] });
    await program.printed("spawned");
    program.process.kill("SIGINT");
    expect(isAlive(pidSaid((await program.ended).stdout))).toBe(false);
  });
});

describe("under a watcher without sessions", () => {
  it("the program stays, SIGTERM leaves the process to the next run, and SIGINT ends both", async () => {
    const cwd = await newRoot();
    const first = startProgram("spawning", { cwd, args: ["--watch"] });
    await first.printed("finalized");
    const pid = await recorded(cwd);
    first.process.kill("SIGTERM");
    await first.ended;
    expect(isAlive(pid)).toBe(true);
    const second = startProgram("spawning", { cwd, args: ["--watch"] });
    await second.printed("finalized");
    second.process.kill("SIGINT");
    expect(pidSaid((await second.ended).stdout)).toBe(pid);
    expect(isAlive(pid)).toBe(false);
  });

  it("the program ends when its process does, be it its own child or not", async () => {
    const cwd = await newRoot();
    const first = startProgram("spawning", { cwd, args: ["--watch"] });
    await first.printed("finalized");
    const pid = await recorded(cwd);
    const second = startProgram("spawning", { cwd, args: ["--watch"] });
    await second.printed("finalized");
    process.kill(pid, "SIGKILL");
    const codes = (await Promise.all([first.ended, second.ended])).map(({ code }) => code);
    expect(codes).toEqual([0, 0]);
  });

  it("an error of the program ends the process", async () => {
    const { code, stdout } = await runProgram("spawning", { cwd: await newRoot(), args: ["--watch", "throw"] });
    expect(code).toBe(1);
    expect(isAlive(pidSaid(stdout))).toBe(false);
  });

  it("node --watch is one", async () => {
    const env = { WATCH_REPORT_DEPENDENCIES: "1" };
    const program = startProgram("spawning", { cwd: await newRoot(), env });
    await program.printed("finalized");
    program.process.kill("SIGTERM");
    expect(isAlive(pidSaid((await program.ended).stdout))).toBe(true);
  });
});

describe("in a session", () => {
  it.each(["SIGINT", "SIGTERM"] as const)("%s of the program leaves it", async (signal) => {
    const cwd = await newRoot();
    const session = inSession("one");
    const program = startProgram("spawning", { cwd, ...session, args: [...session.args, "wait"] });
    await program.printed("spawned");
    program.process.kill(signal);
    expect(isAlive(pidSaid((await program.ended).stdout))).toBe(true);
  });

  it("a re-run that spawns it no more ends it", async () => {
    const cwd = await newRoot();
    const { stdout } = await runProgram("spawning", { cwd, ...inSession("one") });
    await runProgram("spawning", { cwd, ...inSession("one"), args: ["--watch", "nothing"] });
    await until(() => !isAlive(pidSaid(stdout)));
    expect(await listProcesses(cwd)).toEqual([]);
  });
});
