/** Counts derivations of keys from passwords, wherever they begin. */
import { createHook } from "node:async_hooks";

export async function derivationsIn(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const hook = createHook({
    init(_id, type) {
      if (type === "SCRYPTREQUEST") count++;
    },
  });
  hook.enable();
  try {
    await work();
  } finally {
    hook.disable();
  }
  return count;
}
