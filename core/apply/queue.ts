/** Queues an operation: assigns its position in the program's order, and creates its record. */
import { type Action, isSameList, uuid } from "../base/index.js";
import { type Encoded, INTERNALS, type ResourceRecord } from "../contract/index.js";
import { isSimulated, movedProps } from "../handler/index.js";
import type { Positioned } from "../order/index.js";
import { oldHomeOf } from "../rename/index.js";
import { Admission, emitQueued, type Operation } from "../run/index.js";
import { asDeclared } from "./decide/ignored.js";

/**
 * Assigns the position of an operation in the program's order. The moves are visible before another resource is placed,
 * whatever the operation has to wait for. They are written with the next changes; without any, they have no effect.
 */
export function assignPosition({ app, scope }: Operation<"compared">, record: ResourceRecord | undefined): Positioned {
  const positioned = app.run.placement.ready(record?.uid, scope[INTERNALS].resource);
  if (positioned.moves.length > 0) app.ledger.piggyback({ op: "place", at: positioned.moves });
  return positioned;
}

/**
 * Queues an operation. One that is queued already, and has found nothing to adopt, keeps its admission.
 *
 * @param action the action, as far as it is known
 */
export function queue(
  operation: Operation<"compared">,
  record: ResourceRecord | undefined,
  action: Action,
): Operation<"queued"> {
  const { app, ref } = operation;
  const positioned = assignPosition(operation, record);
  const before = operation.admitted;
  const queued = operation.queue(positioned, before ?? new Admission(app.run.admissions));
  if (before === undefined) emitQueued(app, ref, action);
  return queued;
}

/**
 * Returns the members of a record that depend on the place and options of a declaration.
 *
 * @param before record that an attempt continues from: until it has succeeded, the resource may be unchanged and need
 * its former dependencies
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

/** Restores the props that the program declares, including those that `ignoreChanges` names. */
export function restoreDeclared(operation: Operation<"queued">, before: ResourceRecord): Operation<"queued"> {
  return Object.assign(operation, asDeclared(operation, before));
}

/**
 * Gives an operation a record of its own with a new uid and the declared props; the resource that it replaces keeps its
 * uid.
 */
export function renewed(operation: Operation<"queued">): Operation<"queued"> | Promise<Operation<"queued">> {
  const uid = uuid();
  const encoded = movedProps(operation, operation.uid, uid, operation.encoded);
  const renew = (moved: Encoded): Operation<"queued"> =>
    Object.assign(operation, { uid, encoded: moved, declaredProps: moved });
  return encoded instanceof Promise ? encoded.then(renew) : renew(encoded);
}

/** Origin of a new record. */
interface Origin extends Pick<ResourceRecord, "replaces"> {
  /** Uid of the copy that is deleted before this one is created. */
  readonly before?: string | undefined;
}

/**
 * Returns the record that the intent of a first create leaves. It has all members, so that later versions of it are
 * fast to copy.
 */
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
 * Returns the physical name of a new record: the plain one if it is free, otherwise one with a part of the uid. An old
 * copy keeps its name until it is deleted, a retained resource until it is adopted or removed from the state, and a
 * renamed resource the name that it was created with.
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
