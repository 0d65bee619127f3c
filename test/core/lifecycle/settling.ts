/** Declarations that settle on a test's command. */
import { performer } from "../../../core/apply/index.js";
import { INTERNALS, markPending, Scope } from "../../../core/contract/index.js";
import { createEventBus } from "../../../core/plugin/index.js";
import { Declared, Run } from "../../../core/run/index.js";

export function newRun(): Run {
  return new Run(8, performer(createEventBus()));
}

/** A declaration in the scope at a path below another, which settles with the promise. */
export function declareSettling(
  run: Run,
  id: string,
  path: string,
  scope: Scope,
  promise: Promise<void>,
): Promise<unknown> {
  const own = path === "" ? scope : Scope.make(path, path, scope, { ...scope[INTERNALS], path });
  const declared = new Declared({ scope: own, kind: "K", id }, {}, undefined);
  const landed = (): void => run.onSettled(declared);
  const pending = markPending(promise.finally(landed), declared);
  declared.pending = pending;
  run.add(id, declared, undefined);
  return pending;
}
