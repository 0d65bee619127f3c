import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { endSession, listProcesses } from "../../plugins/processes/kept/list.js";
import { runProgram, startProgram } from "../helpers/child-program.ts";
import { isAlive, pidIn, roots, until } from "../helpers/processes.ts";

const newRoot = roots();

/** The one process that is recorded. */
async function recorded(cwd: string): Promise<number> {
  const [one] = await listProcesses(cwd);
  if (!one) throw new Error("No process is recorded.");
  return one.pid;
}

function pidSaid(stdout: string): number {
  const pid = Number(/^spawned (\d+)$/m.exec(stdout)?.[1]);
  // 0 would be all the processes of this run of tests.
  if (!(pid > 0)) throw new Error(`No pid was said: ${stdout}`);
  return pid;
}

/** A program that was killed while its process ran. */
async function killedRun(cwd: string): Promise<number> {
  const program = startProgram("spawning", { cwd, args: ["wait"] });
  await program.printed("spawned");
  program.process.kill("SIGKILL");
  const { stdout } = await program.ended;
  const pid = pidSaid(stdout);
  expect(isAlive(pid)).toBe(true);
  return pid;
}

describe("a program that spawns a process", () => {
  it("is not held up by it, and ends it when it ends", async () => {
    const { code, stdout, stderr } = await runProgram("spawning", { cwd: await newRoot() });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(isAlive(pidSaid(stdout))).toBe(false);
  });

  it.each(["SIGINT", "SIGTERM"] as const)("ends it when %s ends the program", async (signal) => {
    const program = startProgram("spawning", { cwd: await newRoot(), args: ["wait"] });
    await program.printed("spawned");
    program.process.kill(signal);
    expect(isAlive(pidSaid((await program.ended).stdout))).toBe(false);
  });

  it("and is killed leaves it to the next run, which takes it and ends it with itself", async () => {
    const cwd = await newRoot();
    const pid = await killedRun(cwd);
    const { stdout } = await runProgram("spawning", { cwd });
    expect(pidSaid(stdout)).toBe(pid);
    expect(isAlive(pid)).toBe(false);
  });

  it("and is killed leaves it to the next run, which ends what it does not spawn any more", async () => {
    const cwd = await newRoot();
    const pid = await killedRun(cwd);
    await runProgram("spawning", { cwd, args: ["nothing"] });
    expect(isAlive(pid)).toBe(false);
    expect(await listProcesses(cwd)).toEqual([]);
  });

  it("starts one with another run that spawns it at the same moment", async () => {
    const cwd = await newRoot();
    const programs = [0, 1].map(() => startProgram("spawning", { cwd, args: ["wait"] }));
    await Promise.all(programs.map((program) => program.printed("spawned")));
    const pid = await recorded(cwd);
    for (const program of programs) program.process.kill("SIGKILL");
    const ends = await Promise.all(programs.map((program) => program.ended));
    expect(ends.map(({ stdout }) => pidSaid(stdout))).toEqual([pid, pid]);
  });

  it("ends a command that is under way when it is interrupted, although that hears no SIGTERM", async () => {
    const cwd = await newRoot();
    const program = startProgram("spawning", { cwd, args: ["exec", "wait"] });
    const pid = await pidIn(join(cwd, "exec.pid"));
    program.process.kill("SIGINT");
    expect((await program.ended).code).toBe(130);
    expect(isAlive(pid)).toBe(false);
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
  const inSession = (session: string) => ({ args: ["--watch"], env: { ENGINE_SESSION: session } });

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
