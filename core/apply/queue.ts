/** Queues an operation: gives it its position in the order of the program, and its record. */
import { type Action, isSameList, uuid } from "../base/index.js";
import { type Encoded, INTERNALS, type ResourceRecord } from "../contract/index.js";
import { isSimulated, movedProps } from "../handler/index.js";
import type { Positioned } from "../order/index.js";
import { oldHomeOf } from "../rename/index.js";
import { Admission, emitQueued, type Operation } from "../run/index.js";
import { asDeclared } from "./decide/ignored.js";

/**
 * Gives what is about to be done its position in the order of the program. What moves is seen before anything else is placed,
 * whatever the operation has to wait for; it is written with what comes next, and where nothing does, nothing has come of it.
 */
export function assignPosition({ app, scope }: Operation<"compared">, record: ResourceRecord | undefined): Positioned {
  const positioned = app.run.placement.ready(record?.uid, scope[INTERNALS].resource);
  if (positioned.moves.length > 0) app.ledger.piggyback({ op: "place", at: positioned.moves });
  return positioned;
}

/**
 * An operation that is queued already, and has found nothing to adopt, goes on with its admission.
 *
 * @param action what is to be done, as far as is known
 */
export function queue(
  operation: Operation<"compared">,
  record: ResourceRecord | undefined,
  action: Action,
): Operation<"queued"> {
  const { app, ref, declared } = operation;
  const positioned = assignPosition(operation, record);
  const before = declared.admission;
  declared.admission ??= new Admission(app.run.admissions);
  if (before === undefined) emitQueued(app, ref, action);
  return operation.queue(positioned, declared.admission);
}

/**
 * Members of a record that follow from where and how a resource is declared.
 *
 * @param before what an attempt goes on from: until that has succeeded the thing may be as it was, and need what it needed
 */
export function context(
  { scope, refs, options }: Operation<"compared">,
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

/** Gives it the props that the program declares, also those that `ignoreChanges` names. */
export function restoreDeclared(operation: Operation<"queued">, before: ResourceRecord): Operation<"queued"> {
  return Object.assign(operation, asDeclared(operation, before));
}

/** For a record of its own, under a new uid, with the props as they are declared: what it replaces, or comes after, keeps its own. */
export function renewed(operation: Operation<"queued">): Operation<"queued"> | Promise<Operation<"queued">> {
  const uid = uuid();
  const encoded = movedProps(operation, operation.uid, uid, operation.encoded);
  const renew = (moved: Encoded): Operation<"queued"> =>
    Object.assign(operation, { uid, encoded: moved, declaredProps: moved });
  return encoded instanceof Promise ? encoded.then(renew) : renew(encoded);
}

/** How a new record comes about. */
interface Origin extends Pick<ResourceRecord, "replaces"> {
  /** uid of the copy that is deleted before this one is made. */
  readonly before?: string | undefined;
}

/** The record that the intent of a first create leaves. With all members, so that what comes of it is fast to copy. */
export function newRecord(operation: Operation<"queued">, more: Origin = {}): ResourceRecord {
  const { key, uid, ref, definition, encoded, scope, positioned } = operation;
  const { refs, parent, protect, retain } = context(operation);
  return {
    key,
    uid,
    kind: ref.kind,
    status: "creating",
    props: encoded,
    output: undefined,
    lastGood: undefined,
    physicalName: nameOf(operation, more),
    token: uuid(),
    attempt: 1,
    ready: positioned.ready,
    done: positioned.done,
    refs,
    parent,
    replaces: more.replaces,
    replaced: oldHomeOf(operation) === undefined ? undefined : true,
    dropped: undefined,
    protect,
    retain,
    local: isSimulated(definition, scope) || undefined,
    claim: undefined,
    since: operation.app.run.since,
    error: undefined,
    deletion: undefined,
    deleteFailed: undefined,
  };
}

/**
 * The physical name of a new record: the plain one where it is free, else with a part of the uid. An old copy keeps its name until
 * it is deleted, a retained resource until it is adopted or forgotten, and a renamed resource the one that it was made with.
 */
function nameOf({ app, scope, ref, uid, key }: Operation<"queued">, { replaces, before }: Origin): string {
  const { contents } = app.ledger;
  const { names } = app.run;
  const namesake = { key, uid, parent: scope[INTERNALS].resource?.uid, before };
  const plain = scope.createPhysicalName(ref.id);
  const isFree = replaces === undefined && !names.isTaken(plain, namesake, contents);
  const name = isFree ? plain : scope.createPhysicalName(`${ref.id}-${uid.slice(0, 8)}`);
  names.take(name, namesake);
  return name;
}
