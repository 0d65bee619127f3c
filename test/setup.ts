/**
 * Runs before each test file that shares a process with others. It empties the engine's tables of the process (secrets
 * to redact, derived keys, live apps), and fails a file that leaves its process changed: such a file belongs in
 * test/isolated.
 */
import { afterAll, expect, vi } from "vitest";
import { platform, setPlatform } from "../core/base/index.js";
import { liveRoots, setLive } from "../core/contract/index.js";

vi.restoreAllMocks();
vi.unstubAllEnvs();
vi.useRealTimers();
for (const root of [...liveRoots()]) setLive(root, false);
setPlatform();
platform().belongings.clear();
// The new platform forgets values that were computed from the belongings.
setPlatform({ ...platform() });

const stateOfProcess = () => ({
  // The first test that needs a server adds its address.
  env: Object.entries(process.env).filter(([name]) => !name.startsWith("TEST_")),
  cwd: process.cwd(),
  exitCode: process.exitCode,
  signals: ["SIGINT", "SIGTERM", "SIGHUP"].map((signal) => process.listenerCount(signal)),
});
const before = stateOfProcess();
afterAll(() => {
  vi.unstubAllEnvs();
  expect(stateOfProcess(), "the file changes its process: move it to test/isolated").toEqual(before);
});
