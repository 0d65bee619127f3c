import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lockFileOf } from "../../../../plugins/terraform/lifecycle/connections.js";

test("the lock file of a run is that beside its program, else that of the root folder", async () => {
  const root = await mkdtemp(join(tmpdir(), "lock-file-"));
  try {
    const program = join(root, "infra", "app.ts");
    await mkdir(join(root, "infra"));
    expect(lockFileOf(root, program)).toBe(join(root, "engine.lock.json"));
    await writeFile(join(root, "infra", "engine.lock.json"), "{}");
    expect(lockFileOf(root, program)).toBe(join(root, "infra", "engine.lock.json"));
    expect(lockFileOf(root, undefined)).toBe(join(root, "engine.lock.json"));
  } finally {
    await rm(root, { recursive: true });
  }
});
