/** Makes a task of what is declared and compared: with its position in the order of the program, and its wait. */
import { type Action, isSameList, uuid } from "../base/index.js";
import { INTERNALS, type ResourceRecord } from "../contract/index.js";
import { isSimulated, movedProps } from "../handler/index.js";
import type { Positioned } from "../order/index.js";
import { oldHomeOf } from "../records/index.js";
import { Admission, type Compared, emitQueued, type Task } from "../run/index.js";

/**
 * Gives what is about to be done its position in the order of the program. What moves is seen before anything else is placed,
 * whatever the task has to wait for; it is written with what comes next, and where nothing does, nothing has come of it.
 */
export function assignPosition({ app, scope }: Compared, record: ResourceRecord | undefined): Positioned {
  const positioned = app.generation.placement.ready(record?.uid, scope[INTERNALS].resource);
  if (positioned.moves.length > 0) app.ledger.piggyback({ op: "place", at: positioned.moves });
  return positioned;
}

/** @param action what is to be done, as far as is known */
export function queue(compared: Compared, record: ResourceRecord | undefined, action: Action): Task {
  // Member by member, as wherever every resource comes by.
  const { app, scope, definition, ref, key, options, declared, encoded, declaredProps, uid, refs, changes } = compared;
  const positioned = assignPosition(compared, record);
  const admission = new Admission(app.generation.admissions);
  declared.admission = admission;
  emitQueued(app, ref, action);
  return {
    app,
    scope,
    definition,
    ref,
    key,
    options,
    declared,
    encoded,
    declaredProps,
    uid,
    refs,
    changes,
    positioned,
    admission,
  };
}

/**
 * Members of a record that follow from where and how a resource is declared.
 *
 * @param before what an attempt goes on from: until that has succeeded the thing may be as it was, and need what it needed
 */
export function context(
  { scope, refs, options }: Compared,
  before?: Pick<ResourceRecord, "refs">,
): Pick<ResourceRecord, "refs" | "parent" | "protect" | "retain"> {
  const needed = withThoseBefore(refs, before?.refs);
  return {
    refs: needed.length > 0 ? needed : undefined,
    parent: scope[INTERNALS].resource?.uid,
    protect: options.protect || undefined,
    retain: options.retainOnDelete || undefined,
  };
}

function withThoseBefore(refs: readonly string[], before: readonly string[] | undefined): readonly string[] {
  if (before === undefined || isSameList(before, refs)) return refs;
  return [...new Set([...before, ...refs])].sort();
}

/** A task, with its props as they are declared, for a record of its own, under a new uid: what it replaces, or comes after, keeps its own. */
export function renewed(task: Task): Task | Promise<Task> {
  const uid = uuid();
  const encoded = movedProps(task, task.uid, uid, task.encoded);
  if (encoded instanceof Promise)
    return encoded.then((moved) => ({ ...task, uid, encoded: moved, declaredProps: moved }));
  return { ...task, uid, encoded, declaredProps: encoded };
}

/** How a new record comes about. */
interface Origin extends Pick<ResourceRecord, "replaces"> {
  /** uid of the copy that is deleted before this one is made. */
  readonly before?: string | undefined;
}

/** The record that the intent of a first create leaves. With all members, so that what comes of it is fast to copy. */
export function newRecord(task: Task, more: Origin = {}): ResourceRecord {
  const { key, uid, ref, definition, encoded, scope, positioned } = task;
  const { refs, parent, protect, retain } = context(task);
  return {
    key,
    uid,
    kind: ref.kind,
    status: "creating",
    props: encoded,
    output: undefined,
    lastGood: undefined,
    physicalName: nameOf(task, more),
    token: uuid(),
    attempt: 1,
    ready: positioned.ready,
    done: positioned.done,
    refs,
    parent,
    replaces: more.replaces,
    replaced: oldHomeOf(task) === undefined ? undefined : true,
    dropped: undefined,
    protect,
    retain,
    local: isSimulated(definition, scope) || undefined,
    claim: undefined,
    since: task.app.generation.since,
    error: undefined,
    deletion: undefined,
    deleteFailed: undefined,
  };
}

/**
 * The physical name of a new record: the plain one where it is free, else with a part of the uid. An old copy keeps its name until
 * it is deleted, a retained resource until it is adopted or forgotten, and a renamed resource the one that it was made with.
 */
function nameOf({ app, scope, ref, uid, key }: Task, { replaces, before }: Origin): string {
  const { contents } = app.ledger;
  const { names } = app.generation;
  const namesake = { key, uid, parent: scope[INTERNALS].resource?.uid, before };
  const plain = scope.createPhysicalName(ref.id);
  const isFree = replaces === undefined && !names.isTaken(plain, namesake, contents);
  const name = isFree ? plain : scope.createPhysicalName(`${ref.id}-${uid.slice(0, 8)}`);
  names.take(name, namesake);
  return name;
}
