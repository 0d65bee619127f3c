import type { ResourceRecord } from "../state/record.js";
import { uuid } from "../uuid.js";
import { isSimulated } from "./call.js";
import { context, type Task } from "./task.js";
import { movedProps } from "./values.js";

/** A task for a record of its own, under a new uid: what it replaces, or comes after, keeps its own. */
export function renewed(task: Task): Task | Promise<Task> {
  const uid = uuid();
  const encoded = movedProps(task, task.uid, uid, task.encoded);
  if (encoded instanceof Promise) return encoded.then((moved) => ({ ...task, uid, encoded: moved }));
  return { ...task, uid, encoded };
}

/** The record that the intent of a first create leaves. With all members, so that what comes of it is fast to copy. */
export function newRecord(task: Task, more: Pick<ResourceRecord, "replaces"> = {}): ResourceRecord {
  const { key, uid, ref, scope, definition, encoded, placed } = task;
  const { refs, parent, protect, retain } = context(task);
  // Until finalize the old copy is there, too: two things cannot have one name.
  const distinct = more.replaces === undefined ? ref.id : `${ref.id}-${uid.slice(0, 8)}`;
  return {
    key,
    uid,
    kind: ref.kind,
    status: "creating",
    props: encoded,
    output: undefined,
    lastGood: undefined,
    physicalName: scope.createPhysicalName(distinct),
    token: uuid(),
    attempt: 1,
    ready: placed.ready,
    done: placed.done,
    refs,
    parent,
    replaces: more.replaces,
    replaced: undefined,
    dropped: undefined,
    protect,
    retain,
    local: isSimulated(definition, scope) || undefined,
    since: task.app.generation.since,
    error: undefined,
  };
}
