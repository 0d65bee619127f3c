/** Updating a resource: changed props, force, an interrupted update, or a thing that is not as recorded. */
import { randomUUID } from "node:crypto";
import { DestroySignal } from "../resource/context.js";
import type { Change } from "../state/change.js";
import { isPending, type ResourceRecord } from "../state/record.js";
import { attempt, type Found } from "./attempt.js";
import { changedPaths } from "./diff.js";
import { replace } from "./replace.js";
import { context, goodProps, moves, type Task } from "./task.js";

export async function update(task: Task, before: ResourceRecord, recovering: boolean): Promise<unknown> {
  return updating(task, before, recovering);
}

/** An interrupted create has left something: the record takes it over, and the type makes it what is declared. */
export async function updateFound(task: Task, before: ResourceRecord, output: unknown): Promise<unknown> {
  return updating(task, { ...before, output: task.app.codec.encode(output) }, true, { output, isRight: false });
}

/** What is there differs from what is recorded. */
export async function updateDrifted(task: Task, before: ResourceRecord, output: unknown): Promise<unknown> {
  return updating(task, before, false, { output, isRight: false });
}

async function updating(task: Task, before: ResourceRecord, recovering: boolean, found?: Found): Promise<unknown> {
  const { encoded, app } = task;
  const again = isPending(before) && changedPaths(before.props, encoded).length === 0;
  const { error: _error, parent: _parent, refs: _refs, dropped: _dropped, ...kept } = before;
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
  await app.generation.renew(before.key);
  const deleteFirst = !(end.signal instanceof DestroySignal) && end.signal.deleteFirst;
  return replace(task, before, { deleteFirst, isContinued: true });
}
