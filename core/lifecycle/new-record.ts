import { randomUUID } from "node:crypto";
import type { ResourceRecord } from "../state/record.js";
import { context, type Task } from "./task.js";

/** The record that the intent of a first create leaves. */
export function newRecord(task: Task, more: Pick<ResourceRecord, "replaces"> = {}): ResourceRecord {
  const { key, ref, scope, encoded, placed } = task;
  return {
    key,
    uid: randomUUID(),
    kind: ref.kind,
    status: "creating",
    props: encoded,
    physicalName: scope.createPhysicalName(ref.id),
    token: randomUUID(),
    attempt: 1,
    ready: placed.ready,
    ...(placed.done ? { done: placed.done } : {}),
    ...context(task),
    ...more,
  };
}
