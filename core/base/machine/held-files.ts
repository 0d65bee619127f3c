/**
 * On Windows a file that somebody has open, a virus scanner or a reader, can be neither renamed nor removed, nor be replaced. That passes
 * within moments. Elsewhere the same errors mean that it is not allowed.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { PlatformName } from "../node-types.js";
import { hasCode } from "../system-error.js";

/** Milliseconds until what is held is given up. */
const TIMEOUT = 10_000;
/** The same where the process stands still meanwhile. */
const TIMEOUT_NOW = 2_000;
/** Milliseconds between two attempts, at first and at most. */
const [SOONEST, LATEST] = [5, 100];

/** @throws what the last attempt threw */
export async function whenFree<T>(act: () => Promise<T>, platform: PlatformName = process.platform): Promise<T> {
  for (let wait = SOONEST, waited = 0; ; waited += wait, wait = Math.min(wait * 2, LATEST)) {
    try {
      return await act();
    } catch (error) {
      if (!isHeld(error, platform) || waited >= TIMEOUT) throw error;
      await pause(wait);
    }
  }
}

/** As {@link whenFree}, for a process that may be about to end. */
export function whenFreeNow<T>(act: () => T, platform: PlatformName = process.platform): T {
  for (let wait = SOONEST, waited = 0; ; waited += wait, wait = Math.min(wait * 2, LATEST)) {
    try {
      return act();
    } catch (error) {
      if (!isHeld(error, platform) || waited >= TIMEOUT_NOW) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, wait);
    }
  }
}

function isHeld(error: unknown, platform: PlatformName): boolean {
  return platform === "win32" && hasCode(error, "EPERM", "EACCES", "EBUSY");
}
