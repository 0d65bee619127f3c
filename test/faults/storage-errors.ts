/**
 * A disk that is full, fails, refuses or is read-only at any one call: the run reports it, and the next one continues.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { compiledProgram } from "../helpers/processes/compiled-program.js";
import type { StorageResult } from "./storage-scenarios.js";

/** Only the errors are tested, not the disk; and a disk in memory syncs fast. */
const disk = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
export const patient = { timeout: 120_000 };

let folder: string;
beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(disk, "storage-errors-")));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the scenario once for each of its calls of the file system, or for the given ones. */
export async function failEach(scenario: string, code: string, ...more: string[]): Promise<StorageResult[]> {
  const program = compiledProgram(new URL("storage-program.child.ts", import.meta.url));
  const injector = new URL("storage-injector.mjs", import.meta.url).href;
  const own = await mkdtemp(join(folder, `${scenario}-`));
  const child = spawn(process.execPath, ["--import", injector, program, own, scenario, code, ...more], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [out] = await Promise.all([text(child.stdout), once(child, "close")]);
  expect(child.exitCode).toBe(0);
  return out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

/** The call only saves space, or its purpose is already fulfilled: a temporary file that stays is harmless. */
function isMinor(call: string): boolean {
  return /^unlink .*\.tmp$|^readdir names /.test(call);
}

/** Failed calls that the run did not report, or reported without the place. */
export function silent(results: readonly StorageResult[]): string[] {
  return results.flatMap(({ failed, told }) => {
    const isSaid = told.some((message) => message.includes(".engine/"));
    return failed === undefined || isSaid || isMinor(failed) ? [] : [failed];
  });
}

export function wrong(results: readonly StorageResult[]): string[] {
  return results.flatMap(({ failAt, failed, wrong }) => wrong.map((what) => `${failAt} ${failed}: ${what}`));
}

/**
 * Runs on a disk that fails once, at each of its calls, with each of these errors.
 *
 * @param every number of calls of which one is tried
 */
export function failsOnce(scenario: string, codes: readonly string[], every = 1): void {
  it.for(codes)("says so at each call, and nothing is lost: %s", patient, async (code, { task }) => {
    const results = await failEach(scenario, code, "once", `${every}`);
    task.meta.note = `${results.length - 1} calls failed`;
    expect(results.at(-1)).toMatchObject({ told: [], wrong: [] });
    expect(results.length).toBeGreaterThan(20 / every);
    expect({ silent: silent(results), wrong: wrong(results) }).toEqual({ silent: [], wrong: [] });
  });
}

/**
 * Runs on a disk that accepts no more writes, from each of its calls on.
 *
 * @param every number of calls of which one is tried
 */
export function failsForGood(scenario: string, codes: readonly string[], every = 1): void {
  it.for(codes)("says so, and nothing is lost: %s", patient, async (code, { task }) => {
    const results = await failEach(scenario, code, "lasting", `${every}`);
    task.meta.note = `${results.length - 1} calls failed, and all after them`;
    expect(results.length).toBeGreaterThan(20 / every);
    expect({ silent: silent(results), wrong: wrong(results) }).toEqual({ silent: [], wrong: [] });
  });
}
