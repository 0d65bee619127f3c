/** A machine that remembers nothing yet of any stage. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, vi } from "vitest";

/** What the machine of these runs remembers is nothing to others, and goes with them. */
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
