/** Updates a resource: changed props, force, an interrupted update, or drift. */
import { uuid } from "../base/index.js";
import { isAdoption, isOfUnknownOrigin, isPending, type ResourceRecord } from "../contract/index.js";
import { deleteAhead, deleteFirst, dependentsAhead, refuseOutOfReach } from "../destroy/index.js";
import { encodeOutput, goodProps } from "../handler/index.js";
import { withDescendants } from "../order/index.js";
import {
  type Attempt,
  DestroySignal,
  type FoundOutput,
  type Operation,
  refuseReplace,
  type Signal,
} from "../run/index.js";
import type { Change } from "../state/index.js";
import { changedPaths } from "./decide/decide.js";
import { context, newRecord, queue, renewed, restoreDeclared } from "./queue.js";

export function update(operation: Operation<"queued">, before: ResourceRecord, recovering: boolean): Promise<unknown> {
  return updating(operation, before, { recovering });
}

/**
 * Updates the resource that an interrupted create has left: the record takes it over, and the type brings it to the
 * declared props.
 */
export async function updateFound(
  operation: Operation<"queued">,
  before: ResourceRecord,
  output: unknown,
  action: Attempt["action"] = "update",
): Promise<unknown> {
  const encoded = await encodeOutput(operation, before.uid, output, before.output);
  const found = { output, isRight: false };
  return updating(operation, { ...before, output: encoded }, { recovering: true, found, action });
}

/** Updates a resource that was just read and differs from the declaration. */
export function updateSeen(
  operation: Operation<"queued">,
  before: ResourceRecord,
  output: unknown,
  recovering: boolean,
): Promise<unknown> {
  return updating(operation, before, { recovering, found: { output, isRight: false } });
}

/** Updates a resource that was found for adoption. */
export function updateAdopted(
  operation: Operation<"queued">,
  record: ResourceRecord,
  output: unknown,
  revert: readonly Change[],
): Promise<unknown> {
  return updating(operation, record, { recovering: false, found: { output, isRight: false }, action: "adopt", revert });
}

/** Calls the handler of a failed update once more. */
export function updateAgain(failed: Operation<"begun">): Promise<unknown> {
  const { record, action, found, revert } = failed;
  return updating(failed, record, { recovering: true, action, found, ...(action === "adopt" && { revert }) });
}

/** @param attempt `revert`: by default, restores the record */
function updating(
  operation: Operation<"queued">,
  before: ResourceRecord,
  attempt: Partial<Pick<Attempt, "recovering" | "found" | "action" | "revert">>,
): Promise<unknown> {
  const { recovering, found, action = "update", revert = [{ op: "put", record: before }] } = attempt;
  const { encoded, app } = operation;
  const again = isPending(before) && changedPaths(before.props, encoded).length === 0;
  const { key, uid, kind, output, physicalName, done, replaces, replaced, local } = before;
  const { refs, parent, protect, retain } = context(operation, before);
  const record: ResourceRecord = {
    key,
    uid,
    kind,
    status: "updating",
    props: encoded,
    output,
    lastGood: before.lastGood ?? { props: before.props },
    physicalName,
    token: again ? before.token : uuid(),
    attempt: again ? before.attempt + 1 : 1,
    ready: operation.positioned.ready,
    done,
    refs,
    parent,
    replaces,
    replaced,
    dropped: undefined,
    protect,
    retain,
    local,
    claim: action === "adopt" ? "adopting" : done === undefined ? "own" : undefined,
    since: app.run.since,
    error: undefined,
    deletion: undefined,
    // Until the update succeeds, the delete may have removed the resource.
    deleteFailed: before.deleteFailed,
  };
  const signalled = async (signal: Signal): Promise<unknown> => {
    await app.run.renew(before.key, app.ledger.contents);
    const deleteFirst = !(signal instanceof DestroySignal) && signal.deleteFirst;
    return replace(operation, before, { deleteFirst, isContinued: true });
  };
  const isAhead = action === "update" && dependentsAhead(app, before).length > 0;
  const prepare = isAhead ? () => deleteAhead(app, before) : undefined;
  return app.run.performer.execute(
    operation.begin({ action, phase: "update", record, revert, recovering, found, signalled, prepare }),
  );
}

/** Creates a resource in place of one that this run deleted before it replaced a dependency of it. */
export function replaceDeleted(operation: Operation<"compared">, old: ResourceRecord): Promise<unknown> {
  const { app, key } = operation;
  app.run.first.delete(key);
  const queued = queue(operation, undefined, "replace");
  const record = newRecord(queued, { before: old.uid });
  return app.run.performer.execute(queued.begin({ action: "replace", phase: "create", record, old }));
}

interface ReplaceOptions {
  readonly deleteFirst: boolean;
  /** True if the handler of an update asked for it. */
  readonly isContinued?: boolean;
  /** Result of `read`, if it differs from the record. */
  readonly found?: FoundOutput;
}

/** @param old record before the first attempt in this run */
export function replace(seen: Operation<"queued">, old: ResourceRecord, options: ReplaceOptions): Promise<unknown> {
  const operation = renewed(restoreDeclared(seen, old));
  return operation instanceof Promise
    ? operation.then((one) => replacing(one, old, options))
    : replacing(operation, old, options);
}

function replacing(operation: Operation<"queued">, old: ResourceRecord, options: ReplaceOptions): Promise<unknown> {
  const { isContinued = false, found } = options;
  const deleteFirst = options.deleteFirst || operation.options.deleteBeforeReplace === true;
  const steps = deleteFirst ? afterDelete(operation, old) : beforeDelete(operation, old);
  const refuse = (): Promise<void> | void => {
    refuseReplace(operation.app, old, operation.options.protect === true);
    if (deleteFirst) return refuseOutOfReach(operation.app, old, operation);
  };
  const attempt = { action: "replace", phase: "create", old, isContinued, found, refuse, ...steps } as const;
  return operation.app.run.performer.execute(operation.begin(attempt));
}

type OrderOfDelete = Pick<Attempt, "record" | "otherChanges" | "revert" | "prepare">;

/** Keeps the old copy and its children in the state until finalize; the new one takes its position in the order. */
function beforeDelete(operation: Operation<"queued">, old: ResourceRecord): OrderOfDelete {
  const record = newRecord(operation, { replaces: old.uid });
  const revert: Change[] = [{ op: "drop", uid: record.uid }];
  // Called when the intent is written: until then, children of the old copy may be declared elsewhere and so leave it.
  const otherChanges = (): readonly Change[] => {
    const tree = withDescendants(operation.app.ledger.contents, old);
    revert.push(...tree.map((member): Change => ({ op: "put", record: member })));
    return setAside(tree);
  };
  return { record, otherChanges, revert };
}

/** Gives the new one the name that the old one leaves free; a retained one keeps its name. */
function afterDelete(operation: Operation<"queued">, old: ResourceRecord): OrderOfDelete {
  // Taken from the operation, whose declaration is not registered in the run yet.
  const isKept = operation.options.retainOnDelete === true || isAdoption(old);
  const record = newRecord(operation, { before: isKept ? undefined : old.uid });
  return { record, prepare: () => deleteFirst(operation.app, old) };
}

/** Turns records into old copies. */
export function setAside(records: readonly ResourceRecord[]): Change[] {
  return records.map((member): Change => ({ op: "put", record: oldCopy(member) }));
}

/** A later delete deletes the last known resource: an update that asked to be replaced has changed nothing. */
function oldCopy(record: ResourceRecord): ResourceRecord {
  const { lastGood: _lastGood, error: _error, dropped: _dropped, protect: _protect, ...kept } = record;
  const isOwn = !isAdoption(record) && !isOfUnknownOrigin(record);
  const status = record.status === "updating" && isOwn ? "ready" : record.status;
  return { ...kept, props: goodProps(record), status, replaced: true };
}
