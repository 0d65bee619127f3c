import { platform } from "./platform.js";

/** Milliseconds since an arbitrary moment; never goes back. */
export function monotonicNow(): number {
  return platform().monotonicNow();
}
