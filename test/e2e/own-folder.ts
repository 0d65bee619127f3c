/** A folder of its own for each test, in which programs run and keep their state. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";

/** Of the current test. */
export let cwd = "";

/** @param name beginning of the folder's name */
export function folderEach(name = "process"): void {
  beforeEach(async () => {
    cwd = await mkdtemp(join(tmpdir(), `${name}-`));
  });
  afterEach(() => rm(cwd, { recursive: true }));
}
