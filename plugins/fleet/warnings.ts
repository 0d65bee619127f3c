/** Limits the warnings of a fleet. */
import { monotonicNow } from "../../core/base/index.js";
import type { FleetRunOptions } from "./contract.js";

const AGAIN_AFTER = 60_000;

/** Reports each warning at most once a minute: a lost server is noticed many times a second. */
export function calmed(warn: FleetRunOptions["onWarning"]): FleetRunOptions["onWarning"] {
  const reported = new Map<string, number>();
  return (code, message) => {
    const now = monotonicNow();
    if (now - (reported.get(message) ?? Number.NEGATIVE_INFINITY) < AGAIN_AFTER) return;
    reported.set(message, now);
    warn?.(code, message);
  };
}
