import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder that is removed when the test has finished. */
export async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "scope-engine-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
