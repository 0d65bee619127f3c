/** Limits the warnings of a fleet. */
import { monotonicNow } from "../../core/base/index.js";
import type { StateStore } from "../../core/contract/index.js";
import type { FleetRunOptions } from "./contract.js";

/** Warns if workers on other machines would not find the state. */
export function warnOfFiles({ name, location = name }: StateStore, warn: FleetRunOptions["onWarning"]): void {
  if (name !== "fs") return;
  warn?.(
    "LOCAL_STATE",
    `A queue distributes the stages, but their state is in files at ${location}. A worker on another machine gets no stages, unless both machines share this folder. Put the state where all can reach it: --state redis://… or postgres://… or s3://…, also for the workers.`,
  );
}

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
