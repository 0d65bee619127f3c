/** Creating a resource: for the first time, again after an interruption, or in place of one that is gone. */
import { randomUUID } from "node:crypto";
import type { Change } from "../state/change.js";
import type { ResourceRecord } from "../state/record.js";
import { type Attempt, attempt } from "./attempt.js";
import { handlersOf } from "./call.js";
import { changedPaths } from "./diff.js";
import { look } from "./look.js";
import { newRecord } from "./new-record.js";
import { replace } from "./replace.js";
import { context, moves, type Task } from "./task.js";
import { updateFound } from "./update.js";

export function create(task: Task): Promise<unknown> {
  const record = newRecord(task);
  return creating(task, record, { revert: [{ op: "drop", uid: record.uid }], recovering: false });
}

/** An earlier create may have taken effect: what is there goes on as an update, else it is created again. */
export async function resumeCreate(task: Task, before: ResourceRecord): Promise<unknown> {
  const { app, definition, scope, ref, encoded } = task;
  const handlers = handlersOf(definition, scope);
  const isSame = changedPaths(before.props, encoded).length === 0;
  const record = nextAttempt(task, before, isSame);
  const how = { revert: [{ op: "put", record: before }], recovering: true } as const;
  if (handlers.read) {
    const output = await look({ ...task, record: before, recovering: true });
    if (output !== undefined) {
      if (handlers.update) return updateFound(task, before, output);
      if (isSame) return creating(task, record, { ...how, found: { output, isRight: true } });
      const known: ResourceRecord = { ...before, status: "ready", output: app.codec.encode(output) };
      return replace(task, known, { deleteFirst: false });
    }
  } else if (!definition.idempotent) {
    const why = before.error === undefined ? "was interrupted" : `failed (${before.error})`;
    app.events.warn(
      "REPEATED_CREATE",
      `The create of "${ref.fqn}" ${why} and is repeated; "${ref.kind}" has no read to tell whether the first one took effect.`,
      ref.fqn,
    );
  }
  return creating(task, record, how);
}

/** The thing is gone although it is recorded: it is made again under the same uid. */
export function recreate(task: Task, gone: ResourceRecord): Promise<unknown> {
  const { output: _gone, ...rest } = nextAttempt(task, gone, false);
  return creating(task, rest, { revert: [{ op: "put", record: gone }], recovering: false });
}

function nextAttempt(task: Task, before: ResourceRecord, samePropsAgain: boolean): ResourceRecord {
  const { error: _error, lastGood: _lastGood, parent: _parent, refs: _refs, dropped: _dropped, ...kept } = before;
  return {
    ...kept,
    status: "creating",
    props: task.encoded,
    token: samePropsAgain ? before.token : randomUUID(),
    attempt: samePropsAgain ? before.attempt + 1 : 1,
    ready: task.placed.ready,
    ...context(task),
  };
}

function creating(
  task: Task,
  record: ResourceRecord,
  how: Pick<Attempt, "revert" | "recovering" | "found">,
): Promise<unknown> {
  const intent: Change[] = [...moves(task), { op: "put", record }];
  return attempt({ task, action: "create", phase: "create", record, intent, ...how });
}
