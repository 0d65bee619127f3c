import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { processes } from "../../../plugins/processes/index.js";
import { endSession, listProcesses, stopProcess } from "../../../plugins/processes/kept/list.js";
import { writeRecord } from "../../../plugins/processes/kept/record.js";
import { testApps } from "../../helpers/apps/apps.ts";
import { extract, isAlive, roots, server, withStranger } from "../../helpers/processes/processes.ts";
import { until } from "../../helpers/time/until.ts";

const newRoot = roots();
const { engine, open } = testApps({ plugins: [processes()] });

/** Starts processes of one session, in two scopes. */
async function spawned(rootDir: string, session: string): Promise<readonly number[]> {
  const app = await open({ rootDir, watch: true, env: { ENGINE_SESSION: session } }, `shop-${session}`);
  const web = await app.spawn("web", { ...server, extract });
  const api = await app.run(() => engine.run("back", (back) => back.spawn("api", { ...server, extract })));
  await app.finalize();
  return [Number(web), Number(api)];
}

describe("listProcesses(rootDir)", () => {
  it("is empty where there is nothing", async () => {
    expect(await listProcesses(await newRoot())).toEqual([]);
  });

  it("has what people want to know of each", async () => {
    const rootDir = await newRoot();
    const [, api] = await spawned(rootDir, "a");
    const [first] = await listProcesses(rootDir);
    expect(first).toMatchObject({
      app: "shop-a",
      stage: "dev",
      path: "back",
      id: "api",
      fqn: "shop-a/dev/back/api",
      pid: api,
      keeper: "run",
      session: "a",
      status: "alive",
      commandLine: [server.command, ...server.args],
      since: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      log: join(rootDir, ".engine/logs/shop-a/dev/back/api.log"),
    });
  });

  it("tells what is gone, and leaves out what is damaged", async () => {
    const rootDir = await newRoot();
    const [web = 0, api = 0] = await spawned(rootDir, "a");
    process.kill(web, "SIGKILL");
    await until(() => !isAlive(web));
    expect((await listProcesses(rootDir)).map(({ id, status }) => [id, status])).toEqual([
      ["api", "alive"],
      ["web", "gone"],
    ]);
    const [listed] = await listProcesses(rootDir);
    await writeFile(listed?.recordPath ?? "", JSON.stringify({ ...listed, process: { pid: 0 } }));
    expect((await listProcesses(rootDir)).map(({ id }) => id)).toEqual(["web"]);
    process.kill(api, "SIGKILL");
  });
});

describe("stopProcess(listed)", () => {
  it("ends it and forgets it, once", async () => {
    const rootDir = await newRoot();
    const [, api = 0] = await spawned(rootDir, "a");
    const [listed] = await listProcesses(rootDir);
    if (!listed) throw new Error("Nothing is listed.");
    expect(await stopProcess(listed)).toBe(true);
    expect(isAlive(api)).toBe(false);
    expect(await stopProcess(listed)).toBe(false);
    expect((await listProcesses(rootDir)).map(({ id }) => id)).toEqual(["web"]);
  });

  it("leaves alone what was started in its place", async () => {
    const rootDir = await newRoot();
    await spawned(rootDir, "a");
    const [listed] = await listProcesses(rootDir);
    if (!listed) throw new Error("Nothing is listed.");
    expect(await stopProcess({ ...listed, salt: "another" })).toBe(false);
    expect((await listProcesses(rootDir))[0]?.status).toBe("alive");
  });

  it("leaves alone a stranger with its pid", async () => {
    const rootDir = await newRoot();
    const [, api = 0] = await spawned(rootDir, "a");
    const [listed] = await listProcesses(rootDir);
    if (!listed) throw new Error("Nothing is listed.");
    process.kill(api, "SIGKILL");
    await withStranger(async ({ pid }) => {
      const { mac: _mac, ...record } = JSON.parse(await readFile(listed.recordPath, "utf8"));
      record.process.pid = pid;
      writeRecord(listed.recordPath, record);
      const [stale] = await listProcesses(rootDir);
      expect(stale?.status).toBe("gone");
      if (stale) expect(await stopProcess(stale)).toBe(false);
      expect(isAlive(pid)).toBe(true);
      expect((await listProcesses(rootDir)).map(({ id }) => id)).toEqual(["web"]);
    });
  });

  it("does not wait for a run that died in the midst of its work on it", async () => {
    const rootDir = await newRoot();
    await spawned(rootDir, "a");
    const [listed] = await listProcesses(rootDir);
    if (!listed) throw new Error("Nothing is listed.");
    await writeFile(`${listed.recordPath}.turn.dead`, JSON.stringify({ ...listed.process, started: "1" }));
    expect(await stopProcess(listed)).toBe(true);
  });

  it.each(["", "null", '{"pid":'])("is not held up by what a machine has left when it stopped: %j", async (text) => {
    const rootDir = await newRoot();
    await spawned(rootDir, "a");
    const [listed] = await listProcesses(rootDir);
    if (!listed) throw new Error("Nothing is listed.");
    await writeFile(`${listed.recordPath}.turn.dead`, text);
    expect(await stopProcess(listed)).toBe(true);
  });
});

describe("endSession(rootDir, session)", () => {
  it("ends all processes of the session, of every app and scope, and no other", async () => {
    const rootDir = await newRoot();
    const own = await spawned(rootDir, "a");
    const others = await spawned(rootDir, "b");
    expect((await endSession(rootDir, "a")).map(({ pid }) => pid).sort()).toEqual([...own].sort());
    expect(own.map(isAlive)).toEqual([false, false]);
    expect(others.map(isAlive)).toEqual([true, true]);
  });

  it("does nothing below a folder that is none", async () => {
    const rootDir = await newRoot();
    await mkdir(join(rootDir, ".engine"));
    await writeFile(join(rootDir, ".engine/processes"), "");
    expect(await endSession(rootDir, "a")).toEqual([]);
  });
});
