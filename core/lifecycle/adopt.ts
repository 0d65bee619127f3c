/** Taking over what exists already but is not recorded. */
import type { Change } from "../state/change.js";
import type { ResourceRecord } from "../state/record.js";
import { attempt } from "./attempt.js";
import { handlersOf } from "./call.js";
import { create } from "./create.js";
import { look } from "./look.js";
import { newRecord } from "./new-record.js";
import { type Compared, moves, type Task } from "./task.js";
import { updateAdopted } from "./update.js";
import { decodeProps, encodeOutput } from "./values.js";

/** True where a create is to look first whether the thing is there already. */
export function isAdopting({ options, scope, definition }: Compared): boolean {
  return (options.adopt ?? scope.adopt) && handlersOf(definition, scope).read !== undefined;
}

/**
 * Nobody can tell with which props the thing was made: a type that can update it does so, and makes it what is declared.
 */
export async function adopt(task: Task): Promise<unknown> {
  const fresh = newRecord(task);
  const output = await findExisting(task, fresh);
  if (output === undefined) return create(task);
  const encoded = await encodeOutput(task, fresh.uid, output);
  const record: ResourceRecord = { ...fresh, status: "ready", attempt: 0, output: encoded };
  if (handlersOf(task.definition, task.scope).update) return updateAdopted(task, record, output);
  const intent: Change[] = [...moves(task), { op: "put", record }];
  const revert: Change[] = [{ op: "drop", uid: record.uid }];
  const found = { output, isRight: true };
  return attempt({ task, action: "adopt", phase: "create", record, intent, revert, recovering: false, found });
}

/** What is there under the name, or with the props, of a resource that is not recorded. */
export async function findExisting(compared: Compared, record: ResourceRecord): Promise<unknown> {
  const props = await decodeProps(compared, record.uid, compared.encoded);
  return look({ ...compared, props, record, recovering: false });
}
