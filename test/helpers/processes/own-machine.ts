/** A machine without memory of any stage. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, vi } from "vitest";

/** The memory of these runs' machine is separate from others, and removed with them. */
export function machineOfItsOwn(): void {
  let home = "";
  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "scope-engine-machine-"));
    vi.stubEnv("XDG_STATE_HOME", home);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await rm(home, { recursive: true });
  });
}
