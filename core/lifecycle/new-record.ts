import { randomUUID } from "node:crypto";
import type { ResourceRecord } from "../state/record.js";
import { context, type Task } from "./task.js";

/** The record that the intent of a first create leaves. */
export function newRecord(task: Task, more: Pick<ResourceRecord, "replaces"> = {}): ResourceRecord {
  const { key, ref, scope, encoded, placed } = task;
  const uid = randomUUID();
  // Until finalize the old copy is there, too: two things cannot have one name.
  const distinct = more.replaces === undefined ? ref.id : `${ref.id}-${uid.slice(0, 8)}`;
  return {
    key,
    uid,
    kind: ref.kind,
    status: "creating",
    props: encoded,
    physicalName: scope.createPhysicalName(distinct),
    token: randomUUID(),
    attempt: 1,
    ready: placed.ready,
    ...(placed.done ? { done: placed.done } : {}),
    ...context(task),
    ...more,
  };
}
