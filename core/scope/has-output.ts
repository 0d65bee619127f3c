import { checkName } from "../base/index.js";
import { formerKeysIn, keyIn, type ResourceRecord, type Scope } from "../contract/index.js";
import { hostOf } from "./host.js";

/** True when an output is recorded for `id` in a scope, and is of kind `type` where one is given. */
export async function hasOutput(scope: Scope, id: string, type?: string): Promise<boolean> {
  const app = hostOf(scope);
  checkName("id", id);
  await app.ready();
  const keys = [keyIn(scope, id), ...formerKeysIn(scope, id)];
  const record = keys.reduce<ResourceRecord | undefined>((found, key) => found ?? app.ledger.read(key), undefined);
  return record?.output !== undefined && (type === undefined || record.kind === type);
}
