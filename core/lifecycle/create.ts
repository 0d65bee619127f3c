/** Creating a resource: for the first time, again after an interruption, or in place of one that is gone. */
import { randomUUID } from "node:crypto";
import type { Change } from "../state/change.js";
import type { ResourceRecord } from "../state/record.js";
import { type Attempt, attempt } from "./attempt.js";
import { handlersOf } from "./call.js";
import { replacesFor } from "./decide.js";
import { changedPaths } from "./diff.js";
import { look } from "./look.js";
import { newRecord } from "./new-record.js";
import { replace } from "./replace.js";
import { context, decoded, moves, type Task } from "./task.js";
import { update, updateFound } from "./update.js";

export function create(task: Task): Promise<unknown> {
  const record = newRecord(task);
  return creating(task, record, { revert: [{ op: "drop", uid: record.uid }], recovering: false });
}

/** An earlier create may have taken effect: what is there goes on from there, else it is created again. */
export async function resumeCreate(task: Task, before: ResourceRecord): Promise<unknown> {
  const { app, definition, scope, encoded } = task;
  const { read, update: canUpdate } = handlersOf(definition, scope);
  const changes = changedPaths(before.props, encoded);
  const isSame = changes.length === 0;
  const again = nextAttempt(task, before, isSame);
  const how = { revert: [{ op: "put", record: before }], recovering: true } as const;
  if (read) {
    const output = await look({ ...task, record: before, recovering: true });
    if (output === undefined) return creating(task, again, how);
    if (isSame && !canUpdate) return creating(task, again, { ...how, found: { output, isRight: true } });
    if (!replaces(task, changes)) return updateFound(task, before, output);
    return replace(task, { ...before, status: "ready", output: app.codec.encode(output) }, { deleteFirst: false });
  }
  if (!definition.idempotent) warnOfRepeat(task, before);
  else if (!isSame) return finish(task, before, changes);
  return creating(task, again, how);
}

/**
 * The token stands for the props that it was first sent with: another one would make another thing, and nobody would
 * know of the first. So that one is finished as it was begun, and then made what is declared.
 */
async function finish(task: Task, before: ResourceRecord, changes: readonly string[]): Promise<unknown> {
  const { app, key } = task;
  const begun: Task = { ...task, props: decoded(app, before.props), encoded: before.props };
  const how = { revert: [{ op: "put", record: before }], recovering: true } as const;
  const output = await creating(begun, nextAttempt(begun, before, true), how);
  const made = app.ledger.contents.at(key);
  if (!made) return output;
  await app.generation.renew(key);
  return replaces(task, changes) ? replace(task, made, { deleteFirst: false }) : update(task, made, false);
}

function replaces({ definition, scope }: Task, changes: readonly string[]): boolean {
  return replacesFor(changes, definition.replaceOn) || handlersOf(definition, scope).update === undefined;
}

function warnOfRepeat({ app, ref }: Task, { error }: ResourceRecord): void {
  const why = error === undefined ? "was interrupted" : `failed (${error})`;
  app.events.warn(
    "REPEATED_CREATE",
    `The create of "${ref.fqn}" ${why} and is repeated; "${ref.kind}" has no read to tell whether the first one took effect.`,
    ref.fqn,
  );
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
