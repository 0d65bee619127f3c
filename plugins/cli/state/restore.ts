/** `engine state restore`: back to a copy of the state. */
import { EngineError } from "../../../core/base/index.js";
import type { InState } from "./in-state.js";
import { askToRestore, printRestored } from "./restored.js";

export async function restore(context: InState, number: string): Promise<void> {
  if (!/^\d{1,12}$/.test(number)) {
    throw new EngineError("INVALID_ARGUMENT", `"${number}" is no number of a copy: "engine state history" lists them.`);
  }
  const seq = Number(number);
  const ask = {
    unverified: context.given.unverified === true,
    approve: (what: Parameters<typeof askToRestore>[1]) => askToRestore(context, what, `what it was at entry ${seq}`),
  };
  printRestored(context, await context.admin.restore(seq, ask));
}
