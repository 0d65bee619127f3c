import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { EngineOptions } from "../../../core/contract/index.js";
import { processes } from "../../../plugins/processes/index.js";
import { writeRecord } from "../../../plugins/processes/kept/record.js";
import { recorder, testApps } from "../../helpers/apps/apps.ts";
import { extract, isAlive, pidIn, roots, server, withStranger } from "../../helpers/processes/processes.ts";
import { until } from "../../helpers/time/until.ts";

const newRoot = roots();
const { engine, open } = testApps({ plugins: [processes()] });

const recordIn = (root: string): string => join(root, ".engine/processes/shop/dev/web.json");
const logIn = (root: string): string => join(root, ".engine/logs/shop/dev/web.log");
const session: EngineOptions = { watch: true, env: { ENGINE_SESSION: "s1" } };

/** A run of a program that spawns "web" with these options. */
async function run(rootDir: string, options: object = {}, more: EngineOptions = {}): Promise<number> {
  const app = await open({ rootDir, ...session, ...more });
  const pid = Number(await app.spawn("web", { ...server, extract, ...options }));
  await app.finalize();
  return pid;
}

describe("spawn in a session (watch mode, ENGINE_SESSION)", () => {
  it("the next run takes the process as it is, and finds what it said long ago", async () => {
    const rootDir = await newRoot();
    const pid = await run(rootDir);
    expect(isAlive(pid)).toBe(true);
    expect(await run(rootDir)).toBe(pid);
  });

  it.each([
    ["arguments", { args: [...server.args, "more"] }],
    ["environment", { env: { A: "1" } }],
    ["folder", { cwd: "/" }],
  ])("other %s restart it", async (_what, change) => {
    const rootDir = await newRoot();
    const first = await run(rootDir);
    const second = await run(rootDir, change);
    expect(second).not.toBe(first);
    expect([isAlive(first), isAlive(second)]).toEqual([false, true]);
  });

  it("the value of a variable is in no file, and another value restarts it", async () => {
    const rootDir = await newRoot();
    const token = { unencrypted: "correct-horse" };
    const first = await run(rootDir, { env: { TOKEN: token } });
    expect(await readFile(recordIn(rootDir), "utf8")).not.toContain("correct-horse");
    expect(await run(rootDir, { env: { TOKEN: token } })).toBe(first);
    expect(await run(rootDir, { env: { TOKEN: { unencrypted: "battery" } } })).not.toBe(first);
  });

  it("a dead process is started again", async () => {
    const rootDir = await newRoot();
    const first = await run(rootDir);
    process.kill(first, "SIGKILL");
    await until(() => !isAlive(first));
    const second = await run(rootDir);
    expect(second).not.toBe(first);
    expect(isAlive(second)).toBe(true);
  });

  it("record and log are for their owner alone", async () => {
    const rootDir = await newRoot();
    await run(rootDir);
    for (const path of [recordIn(rootDir), logIn(rootDir)]) expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("one whose log is gone is started again, because its output could not be read", async () => {
    const rootDir = await newRoot();
    const first = await run(rootDir);
    await rm(logIn(rootDir));
    expect(await run(rootDir)).not.toBe(first);
    expect(isAlive(first)).toBe(false);
  });

  it("a damaged record counts as none, and is reported", async () => {
    const rootDir = await newRoot();
    const first = await run(rootDir);
    await writeFile(recordIn(rootDir), `{"format":1`);
    const heard = recorder();
    const second = await run(rootDir, {}, { plugins: [heard.plugin] });
    expect(second).not.toBe(first);
    expect(heard.warnings()).toEqual(["PROCESS_RECORD"]);
    process.kill(first, "SIGKILL");
  });

  it("a pid that belongs to another process by now is neither reused nor ended", async () => {
    const rootDir = await newRoot();
    const first = await run(rootDir);
    const { mac: _mac, ...record } = JSON.parse(await readFile(recordIn(rootDir), "utf8"));
    process.kill(first, "SIGKILL");
    await withStranger(async (stranger) => {
      // Like a system that reused the pid of the dead process for the stranger.
      writeRecord(recordIn(rootDir), { ...record, process: { ...record.process, pid: stranger.pid } });
      const second = await run(rootDir);
      expect(second).not.toBe(stranger.pid);
      writeRecord(recordIn(rootDir), { ...record, process: { ...record.process, pid: stranger.pid } });
      const app = await open({ rootDir, ...session });
      await app.finalize();
      expect(isAlive(stranger.pid)).toBe(true);
      process.kill(second, "SIGKILL");
    });
  });

  it("what runs on another machine is left alone, and told", async () => {
    const rootDir = await newRoot();
    const first = await run(rootDir);
    const { mac: _mac, ...record } = JSON.parse(await readFile(recordIn(rootDir), "utf8"));
    const there = { ...record.process, machine: "another", host: "elsewhere" };
    writeRecord(recordIn(rootDir), { ...record, process: there });
    const heard = recorder();
    expect(await run(rootDir, {}, { plugins: [heard.plugin] })).not.toBe(first);
    expect(heard.warnings()).toEqual(["PROCESS_RECORD"]);
    expect(isAlive(first)).toBe(true);
    process.kill(first, "SIGKILL");
  });

  it("the children of a dead process are ended before it is started again", async () => {
    const rootDir = await newRoot();
    const leaving = { command: "sh", args: ["-c", "sleep 1000 & echo $! > left; echo listening $$; wait"] };
    const first = await run(rootDir, leaving);
    const left = await pidIn(join(rootDir, "left"));
    process.kill(first, "SIGKILL");
    await until(() => !isAlive(first));
    expect(isAlive(left)).toBe(true);
    await run(rootDir, leaving);
    expect(isAlive(left)).toBe(false);
  });

  it("two runs that spawn it at the same moment end up with one", async () => {
    const rootDir = await newRoot();
    for (let round = 0; round < 5; round++) {
      const heard = recorder();
      const options = { stage: "dev", rootDir, ...session, plugins: [heard.plugin] };
      const apps = await Promise.all([0, 1, 2].map(() => engine("shop", { ...options, stateStore: memoryStore() })));
      const pids = await Promise.all(
        apps.map((app) => app.spawn("web", { ...server, env: { ROUND: String(round) }, extract })),
      );
      expect(new Set(pids).size).toBe(1);
      expect(heard.events.filter(({ type }) => type === "process:started")).toHaveLength(1);
      for (const app of apps) await app.finalize();
    }
  });
});
