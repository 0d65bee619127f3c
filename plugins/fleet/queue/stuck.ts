/** Notices a worker that takes no jobs although some wait. */
import { sleep, withDeadline } from "../../../core/base/index.js";

/** Milliseconds between two looks. A worker is stuck if it took none of the waiting jobs between two of them. */
const LOOK_EVERY = 5_000;

interface Watched {
  /** Number of jobs that wait. */
  waiting(): Promise<number>;
  /** Number of jobs that were taken; undefined while one runs. */
  taken(): number | undefined;
  replace(): Promise<void>;
}

/** Replaces a worker whenever it is stuck. Resolves when it is over. */
export async function replaceWhenStuck({ waiting, taken, replace }: Watched, over: AbortSignal): Promise<void> {
  let before: number | undefined;
  for (;;) {
    await sleep(LOOK_EVERY, over);
    if (over.aborted) return;
    const now = taken();
    const isIdle = now !== undefined && (await isAny(waiting));
    if (isIdle && now === before && now === taken() && !over.aborted) await replace();
    before = isIdle ? now : undefined;
  }
}

/** False if the queue does not answer: a new worker could not take its jobs either. */
async function isAny(waiting: () => Promise<number>): Promise<boolean> {
  const none = new Error("The queue does not answer.");
  return withDeadline(LOOK_EVERY, waiting(), () => none).then(
    (count) => count > 0,
    () => false,
  );
}
