/** An audit log in a folder of each test. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";

/** Folder of the running test. */
export let folder = "";
export const path = () => join(folder, "audit.jsonl");

/** Gives each test its own folder. */
export function auditedEach(): void {
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "scope-engine-audit-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
}

export const lines = async (): Promise<Record<string, unknown>[]> =>
  (await readFile(path(), "utf8"))
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
/** Operation, resource and outcome of each line. */
export const said = async () =>
  (await lines()).map(({ what, fqn = "", outcome }) => `${what} ${fqn} ${outcome}`.replace("  ", " "));
