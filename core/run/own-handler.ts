/** What a handler must not do, for it would wait for itself. */

import { below, EngineError } from "../base/index.js";
import { folderOf, fqnIn, INTERNALS, idOf, runningHandlerOf, type Scope } from "../contract/index.js";

/**
 * @param call of a scope, which waits for all that is declared in it
 * @throws EngineError `INVALID_CALL` in a handler of a resource that is in the scope, or below it
 */
export function refuseInside(scope: Scope, call: string): void {
  const key = runningHandlerOf(scope.root);
  if (key === undefined || !below(scope[INTERNALS].path)(folderOf(key))) return;
  const fqn = fqnIn(scope.root, key);
  throw new EngineError(
    "INVALID_CALL",
    `${call} is called by the handler of "${fqn}", which it would wait for. Call it where the program has declared everything.`,
    { fqn },
  );
}

/** @throws EngineError `INVALID_CALL` where a handler declares the resource again that it is called for: that would never end */
export function refuseItself(scope: Scope, kind: string, id: string): void {
  const { resource } = scope[INTERNALS];
  if (!resource || idOf(resource.key) !== id || resource.kind !== kind) return;
  const fqn = fqnIn(scope.root, resource.key);
  throw new EngineError(
    "INVALID_CALL",
    `The handler of "${fqn}" declares a "${kind}" with the id "${id}", as it is itself: its handler would do so again, for ever. Give the part another id.`,
    { fqn },
  );
}
