/** The time that one call of a handler may take. */
import { type Cancel, EngineError, platform } from "../base/index.js";

/** Milliseconds in which a handler whose time is up may come to an end by itself. */
const GRACE = 1000;

const timedOut = new WeakSet<object>();

const stillRunning = new WeakSet<object>();

/** The causes that are followed at most. */
const DEEPEST = 20;

/** True for the error of a call that its timeout ended. */
export function isTimedOut(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < DEEPEST; at = at.cause, depth++) {
    if (timedOut.has(at)) return true;
  }
  return false;
}

/** True for the error of a call that has not ended: another one beside it might do twice what is to be done once. */
export function isStillRunning(error: unknown): boolean {
  return typeof error === "object" && error !== null && stillRunning.has(error);
}

export interface Timed {
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
    const message = `${phase} of "${fqn}" took longer than ${timeout} ms${more}. Make it quicker, or give it a longer timeout.`;
    const error = new EngineError("TIMEOUT", message, { fqn, cause });
    timedOut.add(error);
    return error;
  };
  let cancel: Cancel = () => {};
  const ended = new Promise<never>((_, reject) => {
    cancel = platform().after(timeout, () => {
      controller.abort(tooLong());
      cancel = platform().after(GRACE, () => {
        const left = tooLong(" and did not end when told to: it is left running");
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
