/** Waits for results that may be late on a busy machine. */
import { setTimeout as pause } from "node:timers/promises";
import { inspect } from "node:util";

/**
 * Milliseconds: the one limit of every test that waits. It distinguishes a fault from a busy machine, and promises no
 * speed.
 */
const LIMIT = 60_000;

/**
 * Calls `look` again and again, and resolves with the first wanted value.
 *
 * @param isWanted default: whether the value is truthy
 * @throws when the limit has passed, with the last value
 */
export async function until<T>(look: () => T | Promise<T>, isWanted: (seen: T) => boolean = Boolean): Promise<T> {
  const end = performance.now() + LIMIT;
  for (;;) {
    // Read before the call: a process that was stopped until after the limit still calls once more.
    const isLast = performance.now() > end;
    const seen = await look();
    if (isWanted(seen)) return seen;
    if (isLast) throw new Error(`Waited ${LIMIT / 1_000} s for ${look}${wish(isWanted)}. Last value: ${inspect(seen)}`);
    await pause(5);
  }
}

function wish(isWanted: unknown): string {
  return isWanted === Boolean ? "" : ` to fit ${isWanted}`;
}
