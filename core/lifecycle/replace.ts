/** Replacing a resource: the new one first and the old one at finalize, or the old one first. */
import type { Change } from "../state/change.js";
import type { ResourceRecord } from "../state/record.js";
import { attempt } from "./attempt.js";
import { deleteTree } from "./delete-tree.js";
import { familyOf } from "./family.js";
import { newRecord } from "./new-record.js";
import { goodProps, moves, type Task } from "./task.js";

export async function replace(task: Task, old: ResourceRecord, deleteFirst: boolean): Promise<unknown> {
  return deleteFirst ? replaceAfterDelete(task, old) : replaceBeforeDelete(task, old);
}

/** The old copy, and the children that it has, wait in the state until finalize; the new one takes its place in the order. */
async function replaceBeforeDelete(task: Task, before: ResourceRecord): Promise<unknown> {
  const { contents } = task.app.ledger;
  const family = [before, ...familyOf(contents.records.values(), [before.uid])];
  const record = newRecord(task, { replaces: before.uid });
  const aside = family.map((member): Change => ({ op: "put", record: oldCopy(member) }));
  const intent: Change[] = [...moves(task), ...aside, { op: "put", record }];
  const restored = family.map((member): Change => ({ op: "put", record: member }));
  const revert: Change[] = [{ op: "drop", uid: record.uid }, ...restored];
  return finish(task, record, intent, revert);
}

async function replaceAfterDelete(task: Task, old: ResourceRecord): Promise<unknown> {
  await deleteTree(task.app, old);
  const record = newRecord(task);
  return finish(task, record, [...moves(task), { op: "put", record }], [{ op: "drop", uid: record.uid }]);
}

async function finish(
  task: Task,
  record: ResourceRecord,
  intent: readonly Change[],
  revert: readonly Change[],
): Promise<unknown> {
  const end = await attempt({ task, action: "replace", phase: "create", record, intent, revert, recovering: false });
  return end.signal ? undefined : end.output;
}

/** What is deleted later is what was there last: an update that asked to be replaced has changed nothing. */
function oldCopy(record: ResourceRecord): ResourceRecord {
  const { lastGood: _lastGood, error: _error, ...kept } = record;
  const status = record.status === "updating" ? "ready" : record.status;
  return { ...kept, props: goodProps(record), status, replaced: true };
}
