/** The records of processes are in the project's folder, and name the processes that the next run ends. */
import { copyFile, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { processes } from "../../plugins/processes/index.js";
import { listProcesses } from "../../plugins/processes/kept/list.js";
import { identityOf } from "../../plugins/processes/kept/liveness.js";
import type { ProcessRecord } from "../../plugins/processes/kept/record.js";
import { recorder, testApps } from "../helpers/apps/apps.ts";
import { extract, isAlive, roots, server, withStranger } from "../helpers/processes/processes.ts";

const newRoot = roots();
const { open } = testApps({ plugins: [processes()] });

const options = { watch: true, env: { ENGINE_SESSION: "s1" } };
const recordIn = (root: string, id = "web"): string => join(root, `.engine/processes/shop/dev/${id}.json`);

/** A run that spawns processes with these ids; resolves with their pids and the warnings. */
async function run(rootDir: string, ...ids: readonly string[]) {
  const heard = recorder();
  const app = await open({ rootDir, ...options, plugins: [heard.plugin] });
  const pids: number[] = [];
  for (const id of ids) pids.push(Number(await app.spawn(id, { ...server, extract })));
  await app.finalize();
  return { pids, warnings: heard.warnings() };
}

async function recorded(path: string): Promise<ProcessRecord> {
  return JSON.parse(await readFile(path, "utf8"));
}

async function forge(path: string, record: object): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, JSON.stringify(record));
}

describe("a record of a process that was not written here", () => {
  it("ends no process when it is pruned", async () => {
    const rootDir = await newRoot();
    const { pids } = await run(rootDir, "web");
    await withStranger(async ({ pid }) => {
      const own = await recorded(recordIn(rootDir));
      await forge(recordIn(rootDir, "old"), { ...own, id: "old", fqn: "shop/old", process: identityOf(pid) });
      await run(rootDir, "web");
      expect(isAlive(pid)).toBe(true);
    });
    expect(isAlive(Number(pids[0]))).toBe(true);
  });

  it("ends no process when its process is started, is reported, and makes place for one that is proven", async () => {
    const rootDir = await newRoot();
    const { pids: first } = await run(rootDir, "web");
    const own = await recorded(recordIn(rootDir));
    await withStranger(async ({ pid }) => {
      await forge(recordIn(rootDir), { ...own, process: identityOf(pid) });
      expect(await listProcesses(rootDir)).toEqual([]);
      const { pids, warnings } = await run(rootDir, "web");
      expect(warnings).toEqual(["PROCESS_RECORD"]);
      expect(pids).not.toEqual([pid]);
      expect(isAlive(pid)).toBe(true);
      expect((await listProcesses(rootDir)).map((one) => one.pid)).toEqual(pids);
    });
    process.kill(Number(first[0]), "SIGKILL");
  });

  it.each<[string, (record: object) => object]>([
    ["no MAC", (record) => ({ ...record, mac: undefined })],
    ["another MAC", (record) => ({ ...record, mac: "0".repeat(64) })],
    ["a MAC that is none", (record) => ({ ...record, mac: { length: 64 } })],
    ["another log", (record) => ({ ...record, log: "/etc/passwd" })],
    ["another user", (record) => ({ ...record, users: [] })],
    ["one member more", (record) => ({ ...record, more: 1 })],
  ])("is none: %s", async (_what, change) => {
    const rootDir = await newRoot();
    const { pids } = await run(rootDir, "web");
    await forge(recordIn(rootDir), change(await recorded(recordIn(rootDir))));
    const { warnings } = await run(rootDir, "web");
    expect(warnings).toEqual(["PROCESS_RECORD"]);
    expect(isAlive(Number(pids[0]))).toBe(true);
    process.kill(Number(pids[0]), "SIGKILL");
  });

  it("is none that was copied to the place of another one", async () => {
    const rootDir = await newRoot();
    const { pids } = await run(rootDir, "web");
    await copyFile(recordIn(rootDir), recordIn(rootDir, "old"));
    const { warnings } = await run(rootDir, "web");
    expect(warnings).toEqual([]);
    expect(isAlive(Number(pids[0]))).toBe(true);
  });

  it("is none that was made under another user's key", async () => {
    const rootDir = await newRoot();
    const { pids } = await run(rootDir, "web");
    vi.stubEnv("XDG_STATE_HOME", join(rootDir, "of-another-user"));
    try {
      const { warnings } = await run(rootDir, "web");
      expect(warnings).toEqual(["PROCESS_RECORD"]);
      expect(isAlive(Number(pids[0]))).toBe(true);
    } finally {
      await Promise.all([...(await listProcesses(rootDir))].map(({ pid }) => process.kill(pid, "SIGKILL")));
      vi.unstubAllEnvs();
      process.kill(Number(pids[0]), "SIGKILL");
    }
  });
});

describe("a record of a process that was written here", () => {
  it("still counts after its project is moved", async () => {
    const rootDir = await newRoot();
    const { pids } = await run(rootDir, "web");
    const moved = join(rootDir, "moved");
    await mkdir(moved);
    await rename(join(rootDir, ".engine"), join(moved, ".engine"));
    expect((await listProcesses(moved)).map(({ pid, status }) => [pid, status])).toEqual([[pids[0], "alive"]]);
    await rename(join(moved, ".engine"), join(rootDir, ".engine"));
  });

  it("counts where the key of the machine cannot be kept", async () => {
    const rootDir = await newRoot();
    vi.stubEnv("XDG_STATE_HOME", "/dev/null");
    try {
      const { pids } = await run(rootDir, "web");
      vi.stubEnv("XDG_STATE_HOME", "/dev/null/other");
      const { warnings } = await run(rootDir);
      expect(warnings).toEqual([]);
      expect(isAlive(Number(pids[0]))).toBe(false);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
