/**
 * Before each file that shares a thread or a process: what an earlier one has left there goes. The engine keeps what belongs to a
 * process in one map, which is emptied: secrets that are struck out of texts, keys that were derived, apps that live.
 */
import { vi } from "vitest";
import { platform, setPlatform } from "../../core/base/machine/platform.js";
import { liveRoots, setLive } from "../../core/contract/current.js";

vi.restoreAllMocks();
vi.unstubAllEnvs();
vi.useRealTimers();
for (const root of [...liveRoots()]) setLive(root, false);
setPlatform();
platform().belongings.clear();
// What was in it is remembered for as long as the platform is the same.
setPlatform({ ...platform() });
