/** Finishing a create that was interrupted, where its type says that to repeat it is harmless. */

import type { Encoded, ResourceRecord } from "../contract/index.js";
import { createAgain, encodeOutput, handlerFailed, handlersOf, interruption } from "../handler/index.js";
import { isPartial, partlyDone, type Task } from "../run/index.js";
import type { Change } from "../state/index.js";

/**
 * The token stands for the props that it was first sent with: with others it would make another thing, and nobody would
 * know of the first. So that one is finished as it was begun; gives the error where that fails, for what it failed at
 * before may have been its props.
 */
export async function finishCreate(task: Task, before: ResourceRecord): Promise<ResourceRecord | Error> {
  const { app, scope, definition, ref } = task;
  let output: Encoded;
  try {
    const made = await createAgain({ app, scope, definition, ref, record: before });
    output = await encodeOutput(task, before.uid, made);
  } catch (error) {
    const reason = interruption(app, error);
    if (reason) throw reason;
    return handlerFailed(app, "create", ref.fqn, error);
  }
  const { uid } = before;
  const set = { status: "ready", output, attempt: 0 } as const;
  const settled: Change = { op: "patch", uid, set, unset: ["error", "since"] };
  const isLeft = isPartial(app, task.key, handlersOf(definition, scope));
  if (isLeft) app.generation.partial.set(task.key, uid);
  await app.record([isLeft ? partlyDone(before, output) : settled]);
  return app.ledger.contents.records.get(uid) ?? before;
}
