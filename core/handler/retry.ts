/** Retries of failed handlers: conditions, delays, and timeouts. */
import {
  type Action,
  type Cancel,
  EngineError,
  isEngineError,
  messageOf,
  platform,
  type ResourceRef,
  sleep,
} from "../base/index.js";
import type { ResourceOptions, RetryPolicy } from "../contract/index.js";
import type { App } from "../run/index.js";

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

/** Emits `resource:retrying` and waits before the next call; returns false if there is none. */
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

/** A call that is retried if it fails. */
interface Retried<T> extends Omit<FailedCall, "tries"> {
  /** @param tries 1-based number of the call in this run */
  call(tries: number): Promise<T>;
  /** Called before each further call. */
  between?(error: unknown): Promise<void> | undefined;
  /** True if the call that has just failed is the last one, whatever the policy says. */
  isLast?(error: unknown): boolean;
}

/** Retries a failing call as often as the policy allows. @throws the error of the last call */
export async function withRetries<T>({ call, between, isLast, ...what }: Retried<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await call(tries);
    } catch (error) {
      if (isLast?.(error) || !(await isTriedAgain({ ...what, tries }, error))) throw error;
      await between?.(error);
    }
  }
}

function policyOf({ retry = 1 }: ResourceOptions): RetryPolicy {
  return typeof retry === "number" ? { attempts: retry } : retry;
}

/** False if the program's `when` throws: the error of the handler is more useful than that of `when`. */
function isWorthIt({ when }: RetryPolicy, error: unknown): boolean {
  try {
    return when === undefined || when(error);
  } catch {
    return false;
  }
}

/** Between half of the delay and all of it, so that calls that failed together are not repeated together. */
function delayOf({ delay = DELAY, maxDelay = LONGEST }: RetryPolicy, tries: number): number {
  const full = Math.min(maxDelay, delay * 2 ** (tries - 1));
  return Math.round(full * (1 - platform().random() / 2));
}

/** Milliseconds in which a handler may end by itself after its timeout. */
const GRACE = 1000;

const timedOut = new WeakSet<object>();

const stillRunning = new WeakSet<object>();

/** Maximum number of causes that are followed. */
const DEEPEST = 20;

/** True for the error of a call that its timeout ended. */
export function isTimedOut(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < DEEPEST; at = at.cause, depth++) {
    if (timedOut.has(at)) return true;
  }
  return false;
}

/** True for the error of a call that has not ended: a concurrent retry might do the same work twice. */
function isStillRunning(error: unknown): boolean {
  return typeof error === "object" && error !== null && stillRunning.has(error);
}

interface Timed {
  /** Milliseconds. */
  readonly timeout: number;
  /** Ends the call as well. */
  readonly signal: AbortSignal;
  readonly phase: string;
  readonly fqn: string;
}

/** @throws EngineError `TIMEOUT` */
export async function withTimeout<T>(timed: Timed, call: (signal: AbortSignal) => Promise<T> | T): Promise<T> {
  const { timeout, signal, phase, fqn } = timed;
  const controller = new AbortController();
  const tooLong = (more = "", cause?: unknown): EngineError => {
    const message = `${phase} of "${fqn}" took longer than ${timeout} ms${more}. Make the handler or the command faster, or give it a longer timeout. The next "engine up" continues from there.`;
    const error = new EngineError("TIMEOUT", message, { fqn, cause });
    timedOut.add(error);
    return error;
  };
  let cancel: Cancel = () => {};
  const ended = new Promise<never>((_, reject) => {
    cancel = platform().after(timeout, () => {
      controller.abort(tooLong());
      cancel = platform().after(GRACE, () => {
        const left = tooLong(" and did not stop when it was aborted: it keeps running");
        stillRunning.add(left);
        reject(left);
      });
    });
  });
  try {
    return await Promise.race([call(AbortSignal.any([signal, controller.signal])), ended]);
  } catch (error) {
    if (!controller.signal.aborted || isStillRunning(error) || error === controller.signal.reason) throw error;
    throw tooLong("", error);
  } finally {
    cancel();
  }
}
