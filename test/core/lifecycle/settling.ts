/** Declarations that settle when a test wants it. */
import { performer } from "../../../core/apply/index.js";
import { markPending, type Scope } from "../../../core/contract/index.js";
import { createEventBus } from "../../../core/plugin/index.js";
import { Declared, Generation } from "../../../core/run/index.js";

export function newGeneration(): Generation {
  return new Generation(8, performer(createEventBus()));
}

/** A declaration that settles as the promise does. */
export function declareSettling(
  generation: Generation,
  id: string,
  path: string,
  scope: Scope,
  promise: Promise<void>,
): Promise<unknown> {
  const declared = new Declared({}, path, undefined, {});
  const landed = (): void => generation.onSettled(declared);
  const pending = markPending(promise.finally(landed), "K", id, scope);
  declared.pending = pending;
  generation.add(id, declared);
  return pending;
}
