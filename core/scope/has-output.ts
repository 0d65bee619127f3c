import { INTERNALS, keyIn } from "./internals.js";
import { checkName } from "./names.js";
import type { Scope } from "./scope.js";

/** True when an output is recorded for `id` in a scope, and is of kind `type` where one is given. */
export async function hasOutput(scope: Scope, id: string, type?: string): Promise<boolean> {
  const { app } = scope[INTERNALS];
  checkName("id", id);
  await app.ready();
  const record = app.ledger.read(keyIn(scope, id));
  return record?.output !== undefined && (type === undefined || record.kind === type);
}
