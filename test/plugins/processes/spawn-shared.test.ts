import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { memoryStore } from "../../../adapters/memory/index.js";
import type { Scope } from "../../../core/contract/index.js";
import { processes } from "../../../plugins/processes/index.js";
import { writeRecord } from "../../../plugins/processes/kept/record.js";
import { testApps } from "../../helpers/apps/apps.ts";
import { extract, isAlive, roots, server } from "../../helpers/processes/processes.ts";

const newRoot = roots();
const { engine } = testApps({ plugins: [processes()] });

const recordIn = (root: string): string => join(root, ".engine/processes/shop/dev/web.json");
const spawned = async (app: Scope): Promise<number> => Number(await app.spawn("web", { ...server, extract }));
const opened = (rootDir: string): Promise<Scope> => {
  return engine("shop", { stage: "dev", rootDir, stateStore: memoryStore(), destroyOrphans: false });
};

describe("a process that several runs use at a time", () => {
  it("ends with the last of them, whichever run started it", async () => {
    const rootDir = await newRoot();
    const runs = await Promise.all([opened(rootDir), opened(rootDir), opened(rootDir)]);
    const pids: number[] = [];
    for (const app of runs) pids.push(await spawned(app));
    const [pid = 0] = pids;
    expect(new Set(pids)).toEqual(new Set([pid]));
    const [first, second, third] = runs;
    await first?.finalize();
    expect(isAlive(pid)).toBe(true);
    await third?.finalize();
    expect(isAlive(pid)).toBe(true);
    await second?.finalize();
    expect(isAlive(pid)).toBe(false);
  });

  it("does not wait for a run that was killed", async () => {
    const rootDir = await newRoot();
    const app = await opened(rootDir);
    const pid = await spawned(app);
    const { mac: _mac, ...record } = JSON.parse(await readFile(recordIn(rootDir), "utf8"));
    const [own] = record.users;
    const dead = { run: "killed", process: { ...own.process, started: "1" } };
    writeRecord(recordIn(rootDir), { ...record, users: [dead, null, {}, own] });
    await app.finalize();
    expect(isAlive(pid)).toBe(false);
  });
});
