/** What hooks and handlers are given about an execution. */
import type { ApplyContext, ResourceRecord } from "../contract/index.js";
import { dependentsAhead, dependentsFirst } from "../destroy/index.js";
import { decodeOutput, decodeProps, goodProps, type HandlerValues, withAll } from "../handler/index.js";
import { withDescendants } from "../records/index.js";
import type { Execution } from "../run/index.js";

export async function applyContext(input: Execution): Promise<ApplyContext> {
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

/** What a replace deletes before it creates: the old copy and dependents that go first, with their children. What goes before an update. */
export function deletedFirst({ action, prepare, old, record, task: { app } }: Execution): readonly ResourceRecord[] {
  if (!prepare) return [];
  if (action === "update") return withDescendants(app.ledger.contents, ...dependentsAhead(app, record));
  if (action !== "replace" || !old) return [];
  return withDescendants(app.ledger.contents, old, ...dependentsFirst(app, old));
}

/** The output before the execution: what `read` has found, else what is recorded. */
function outputOf({ task, record, found, old }: Execution): unknown {
  return found ? found.output : decodeOutput(task, old ?? record);
}

/** What the handler of an update is called with. */
export function updateValues(input: Execution): HandlerValues | Promise<HandlerValues> {
  const { task, record } = input;
  const props = decodeProps(task, record.uid, task.encoded);
  return withAll([props, decodeProps(task, record.uid, goodProps(record)), outputOf(input)], (values) => {
    const [all, previous, output] = values;
    return { props: all, previous, output };
  });
}
