/** Declarations that settle on a test's command. */
import { performer } from "../../../core/apply/index.js";
import { markPending, type Scope } from "../../../core/contract/index.js";
import { createEventBus } from "../../../core/plugin/index.js";
import { Declared, Run } from "../../../core/run/index.js";

export function newRun(): Run {
  return new Run(8, performer(createEventBus()));
}

/** A declaration that settles with the promise. */
export function declareSettling(
  run: Run,
  id: string,
  path: string,
  scope: Scope,
  promise: Promise<void>,
): Promise<unknown> {
  const declared = new Declared({}, path, undefined, {});
  const landed = (): void => run.onSettled(declared);
  const pending = markPending(promise.finally(landed), "K", id, scope);
  declared.pending = pending;
  run.add(id, declared);
  return pending;
}
