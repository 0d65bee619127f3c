/** Updating a resource: changed props, force, an interrupted update, or a thing that is not as recorded. */
import { randomUUID } from "node:crypto";
import { DestroySignal } from "../resource/context.js";
import type { Change } from "../state/change.js";
import type { ResourceRecord } from "../state/record.js";
import { attempt } from "./attempt.js";
import { handlersOf } from "./call.js";
import { changedPaths } from "./diff.js";
import { replace } from "./replace.js";
import { context, goodProps, moves, type Task } from "./task.js";

export async function update(task: Task, before: ResourceRecord, recovering: boolean): Promise<unknown> {
  return updating(task, before, recovering);
}

/** An interrupted create has left something: the record takes it over, and the type makes it what is declared. */
export async function updateFound(task: Task, before: ResourceRecord, output: unknown): Promise<unknown> {
  const { app, definition, scope } = task;
  const known: ResourceRecord = { ...before, output: app.codec.encode(output) };
  if (handlersOf(definition, scope).update) return updating(task, known, true, { output });
  await app.ledger.commit([{ op: "put", record: known }], "now");
  return replace(task, known, false);
}

/** What is there differs from what is recorded. */
export async function updateDrifted(task: Task, before: ResourceRecord, output: unknown): Promise<unknown> {
  return updating(task, before, false, { output });
}

async function updating(
  task: Task,
  before: ResourceRecord,
  recovering: boolean,
  found?: { readonly output: unknown },
): Promise<unknown> {
  const { encoded } = task;
  const again = before.status === "updating" && changedPaths(before.props, encoded).length === 0;
  const { error: _error, parent: _parent, refs: _refs, ...kept } = before;
  const record: ResourceRecord = {
    ...kept,
    status: "updating",
    props: encoded,
    lastGood: { props: goodProps(before) },
    token: again ? before.token : randomUUID(),
    attempt: again ? before.attempt + 1 : 1,
    ready: task.placed.ready,
    ...context(task),
  };
  const intent: Change[] = [...moves(task), { op: "put", record }];
  const revert: Change[] = [{ op: "put", record: before }];
  const end = await attempt({ task, action: "update", phase: "update", record, intent, revert, recovering, found });
  if (!end.signal) return end.output;
  return replace(task, record, end.signal instanceof DestroySignal ? false : end.signal.deleteFirst);
}
