/** Questions that wait for somebody's answer: what would interrupt the run waits until they have it. */
import { processWide } from "../../core/base/index.js";

const open = processWide("open-questions@1", () => new Set<Promise<unknown>>());

/** The answer; while it is waited for, {@link answered} waits, too. */
export async function asking<T>(answer: Promise<T>): Promise<T> {
  open.add(answer);
  try {
    return await answer;
  } finally {
    open.delete(answer);
  }
}

export function isQuestionOpen(): boolean {
  return open.size > 0;
}

/** Resolves when no question is open. */
export async function answered(): Promise<void> {
  while (open.size > 0) await Promise.allSettled(open);
}
