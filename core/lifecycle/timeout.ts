/** The time that one call of a handler may take. */
import { EngineError } from "../errors.js";

/** Milliseconds in which a handler whose time is up may come to an end by itself. */
const GRACE = 1000;

const stillRunning = new WeakSet<object>();

/** True for the error of a call that has not ended: another one beside it might do twice what is to be done once. */
export function isStillRunning(error: unknown): boolean {
  return typeof error === "object" && error !== null && stillRunning.has(error);
}

/** @throws EngineError `TIMEOUT` */
export async function withTimeout<T>(
  timeout: number,
  signal: AbortSignal,
  what: string,
  call: (signal: AbortSignal) => Promise<T> | T,
): Promise<T> {
  const controller = new AbortController();
  const tooLong = (cause?: unknown): EngineError =>
    new EngineError("TIMEOUT", `${what} took longer than ${timeout} ms.`, { cause });
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const late = tooLong();
      controller.abort(late);
      timer = setTimeout(() => {
        stillRunning.add(late);
        reject(late);
      }, GRACE);
    }, timeout);
  });
  try {
    return await Promise.race([call(AbortSignal.any([signal, controller.signal])), ended]);
  } catch (error) {
    const late: unknown = controller.signal.reason;
    if (!controller.signal.aborted || error === late) throw error;
    throw tooLong(error);
  } finally {
    clearTimeout(timer);
  }
}
