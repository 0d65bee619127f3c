/** Whether, and when, a handler that has failed is called again. */

import { type Action, isEngineError, messageOf, platform, type ResourceRef, sleep } from "../base/index.js";
import type { ResourceOptions, RetryPolicy } from "../contract/index.js";
import type { App } from "../run/index.js";
import { isStillRunning } from "./timeout.js";

export interface FailedCall {
  readonly app: App;
  readonly ref: ResourceRef;
  readonly action: Action;
  readonly options: ResourceOptions;
  /** Calls so far in this run. */
  readonly tries: number;
}

const DELAY = 1000;

const LONGEST = 30_000;

/** Codes of errors that another call would meet again. */
const FINAL: ReadonlySet<string> = new Set([
  "INVALID_CALL",
  "INVALID_DEFINITION",
  "INVALID_PROPS",
  "NOT_DELETED",
  "UNSERIALIZABLE",
]);

/** Emits `resource:retrying` and waits before the next call; false where there is none. */
export async function isTriedAgain({ app, ref, action, options, tries }: FailedCall, error: unknown): Promise<boolean> {
  const policy = policyOf(options);
  if (tries >= policy.attempts || app.signal.aborted || isStillRunning(error)) return false;
  if (isEngineError(error) && FINAL.has(error.code)) return false;
  if (!isWorthIt(policy, error)) return false;
  const delay = delayOf(policy, tries);
  const message = messageOf(app.safe(error));
  app.events.emit("resource:retrying", {
    ...ref,
    action,
    attempt: tries + 1,
    attempts: policy.attempts,
    delay,
    message,
  });
  await sleep(delay, app.signal);
  return !app.signal.aborted;
}

function policyOf({ retry = 1 }: ResourceOptions): RetryPolicy {
  return typeof retry === "number" ? { attempts: retry } : retry;
}

/** False where the program's `when` throws: the error of the handler says more than that of `when`. */
function isWorthIt({ when }: RetryPolicy, error: unknown): boolean {
  try {
    return when === undefined || when(error);
  } catch {
    return false;
  }
}

/** Between half of the delay and all of it: those that failed together do not come back together. */
function delayOf({ delay = DELAY, maxDelay = LONGEST }: RetryPolicy, tries: number): number {
  const full = Math.min(maxDelay, delay * 2 ** (tries - 1));
  return Math.round(full * (1 - platform().random() / 2));
}
