/** What hooks are told of an attempt. */
import type { ApplyContext } from "../hook-contexts.js";
import type { Attempt } from "./attempt.js";
import { decodeOutput, decodeProps } from "./values.js";

export async function applyContext(input: Attempt): Promise<ApplyContext> {
  const { action, task, record } = input;
  const { ref, scope, encoded, changes } = task;
  const isCreate = action === "create";
  return {
    ...ref,
    scope,
    action,
    props: await decodeProps(task, record.uid, encoded),
    changes: isCreate ? [] : changes,
    output: isCreate ? undefined : await outputOf(input),
  };
}

/** True where what is replaced goes before there is anything in its place. */
export function isDeleteFirst({ action, prepare }: Attempt): boolean {
  return action === "replace" && prepare !== undefined;
}

/** What is there, or is recorded, before it. */
export function outputOf({ task, record, found, old }: Attempt): unknown {
  return found ? found.output : decodeOutput(task, old ?? record);
}
