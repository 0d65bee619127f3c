/** A disk that is full, fails, refuses or is read-only at any one call: the run says so, and the next one goes on. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SCENARIOS, type StorageResult } from "./storage-scenarios.js";

/** What fails here is told, not the disk; and a disk in memory is quick to sync. */
const disk = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const patient = { timeout: 120_000 };

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(disk, "storage-errors-")));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the scenario once for each of its calls of the file system. */
async function failEach(scenario: string, code: string, ...more: string[]): Promise<StorageResult[]> {
  const program = fileURLToPath(new URL("storage-program.child.ts", import.meta.url));
  const injector = new URL("storage-injector.mjs", import.meta.url).href;
  const own = await mkdtemp(join(folder, `${scenario}-`));
  const child = spawn(
    process.execPath,
    ["--import", injector, "--import", import.meta.resolve("tsx"), program, own, scenario, code, ...more],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const [out] = await Promise.all([text(child.stdout), once(child, "close")]);
  expect(child.exitCode).toBe(0);
  return out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** What only saves room, or has been done by then: a temporary file that stays harms nobody. */
function isMinor(call: string): boolean {
  return /^unlink .*\.tmp$|^readdir names /.test(call);
}

/** Failed calls of which the run said nothing, or not where. */
function silent(results: readonly StorageResult[]): string[] {
  return results.flatMap(({ failed, told }) => {
    const isSaid = told.some((message) => message.includes(".engine/"));
    return failed === undefined || isSaid || isMinor(failed) ? [] : [failed];
  });
}

function wrong(results: readonly StorageResult[]): string[] {
  return results.flatMap(({ failAt, failed, wrong }) => wrong.map((what) => `${failAt} ${failed}: ${what}`));
}

const isLong = process.env.LONG !== undefined;
const ALL = ["ENOSPC", "EIO", "EACCES", "EROFS"];
const scenarios = Object.keys(SCENARIOS);

describe.each(scenarios)("a run whose disk fails once (%s)", (scenario) => {
  const codes = isLong || scenario === "first" || scenario === "later" ? ALL : ["ENOSPC", "EIO"];
  it.for(codes)("says so at each call, and nothing is lost: %s", patient, async (code, { task }) => {
    const results = await failEach(scenario, code);
    task.meta.note = `${results.length - 1} calls failed`;
    expect(results.at(-1)).toMatchObject({ told: [], wrong: [] });
    expect(results.length).toBeGreaterThan(20);
    expect({ silent: silent(results), wrong: wrong(results) }).toEqual({ silent: [], wrong: [] });
  });
});

const others = isLong ? scenarios : ["later", "laterEntries"];
describe.each(others)("a run whose disk takes nothing more from some call on (%s)", (scenario) => {
  it.for(["ENOSPC", "EROFS"])("says so, and nothing is lost: %s", patient, async (code, { task }) => {
    const results = await failEach(scenario, code, "lasting");
    task.meta.note = `${results.length - 1} calls failed, and all after them`;
    expect(results.length).toBeGreaterThan(20);
    expect({ silent: silent(results), wrong: wrong(results) }).toEqual({ silent: [], wrong: [] });
  });
});

describe("what these tests would notice", () => {
  it("is a store that swallows what the disk says: nobody is told", patient, async () => {
    expect(silent(await failEach("swallowing", "EIO")).join()).toContain("writeSync");
  });

  it("is a store that goes on swallowing: what was done is lost", patient, async () => {
    expect(wrong(await failEach("swallowing", "EIO", "lasting"))).not.toEqual([]);
  });
});
