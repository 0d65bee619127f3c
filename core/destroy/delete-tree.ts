/** Deletes in order, one at a time or as wide as the order allows; continues after a failure. */

import { type DestroyStrategy, EngineError, raise } from "../base/index.js";
import { folderOf, forgetCommand, fqnIn, idOf, isOfUnknownOrigin, type ResourceRecord } from "../contract/index.js";
import { interruption } from "../handler/index.js";
import { DeletionOrder, descendantsOf, isBelow, sourcesAmong } from "../order/index.js";
import { Admission, type App, type DeleteReason, emitQueued, retainedOf } from "../run/index.js";
import { scopeAt } from "../scope/index.js";
import { deleteOne } from "./delete-one.js";
import { refOf } from "./deletion.js";
import { type SettledCreates, settleCreates } from "./settle-create.js";

export interface DeletionPlan {
  readonly app: App;
  /** Their children are deleted with them. */
  readonly records: readonly ResourceRecord[];
  readonly strategy: DestroyStrategy;
  reasonFor(record: ResourceRecord): DeleteReason;
  /** As in {@link DeleteRequest}, for each of them. */
  readonly isAsked?: boolean;
  /** Uids of all orphans: a target may leave out the parent of one of the records. */
  readonly givenUp?: ReadonlySet<string>;
  /** Records that stay; records that have to come after them stay, too. */
  readonly kept?: ReadonlySet<string>;
}

export interface DeletionResult {
  readonly errors: readonly unknown[];
  /** Records of interrupted creates that may have taken effect. */
  readonly unresolved: readonly ResourceRecord[];
}

/**
 * Number of deletes that have begun, per handler that may run at once. Twice as many as can run have an intent, so
 * some more are ready to follow them; a delete that has not begun is only a record.
 */
const BEGUN = 4;

export async function deleteInOrder(plan: DeletionPlan): Promise<DeletionResult> {
  const { app, strategy, kept = new Set(), isAsked, givenUp } = plan;
  const forgotten = retainedOf(app, plan.records, givenUp);
  const settled = await settleAll(app, plan.records, (uid) => kept.has(uid) || forgotten.has(uid));
  for (const _ of settled.unresolved) app.run.count("left");
  const going = stillThere(app, plan.records);
  const doubtful = new Set(settled.unresolved.map(({ uid }) => uid));
  const order = orderOf(app, going, doubtful);
  const retained = retainedOf(app, going, givenUp);
  const errors = [...settled.errors];
  const isStaying = ({ uid }: ResourceRecord): boolean => kept.has(uid) || settled.stuck.has(uid);
  const admissions = new Map(
    going.filter((record) => !isStaying(record)).map((record) => [record.uid, queue(app, record, retained)]),
  );
  // Taps may wait for each other, so all of them are asked at once.
  const most = app.calls.beforeDelete.used ? Number.POSITIVE_INFINITY : BEGUN * app.options.concurrency;
  const width = strategy === "parallel" ? most : 1;
  let running = 0;
  let wake = (): void => {};
  const run = async (record: ResourceRecord, admission: Admission): Promise<void> => {
    running++;
    try {
      const isRetained = retained.has(record.uid);
      const request = { app, record, reason: plan.reasonFor(record), isRetained, isAsked };
      await deleteOne(request, admission);
      admissions.delete(record.uid);
      order.finished(record.uid);
    } catch (error) {
      const reason = interruption(app, error);
      if (!reason) admissions.delete(record.uid);
      errors.push(reason ?? error);
      order.failed(record.uid);
    }
    running--;
    admission.leave();
    wake();
  };
  for (;;) {
    const next = running < width && !app.signal.aborted ? order.next() : undefined;
    const admission = next && admissions.get(next.uid);
    if (next && admission) void run(next, admission);
    else if (next) order.failed(next.uid);
    else if (running === 0) break;
    else await new Promise<void>((resolve) => (wake = resolve));
  }
  for (const admission of admissions.values()) {
    admission.leave();
    if (app.signal.aborted && !admission.hasStarted) app.run.count("notBegun");
  }
  if (app.signal.aborted) errors.push(app.signal.reason);
  else {
    const blocked = order.blocked().filter(({ item }) => !kept.has(item.uid));
    for (const { item, by } of blocked) emitBlocked(app, item, by, doubtful.has(by.uid));
  }
  // Several deletes that one interruption ended share one reason.
  return { errors: [...new Set(errors)], unresolved: settled.unresolved };
}

/** @param doubtful uids of the unresolved, which may exist */
function orderOf(app: App, going: readonly ResourceRecord[], doubtful: ReadonlySet<string>) {
  if (doubtful.size === 0) return new DeletionOrder(going);
  const sourcesOf = sourcesAmong(going);
  // If it exists, it needs its references, the likely sources of its props, and all their children.
  const withSources = (record: ResourceRecord): ResourceRecord => {
    const sources = [...(record.refs ?? []), ...sourcesOf(record)];
    const parts = descendantsOf(app.ledger.contents, sources).map(({ uid }) => uid);
    return { ...record, refs: [...sources, ...parts] };
  };
  const order = new DeletionOrder(going.map((record) => (doubtful.has(record.uid) ? withSources(record) : record)));
  for (const uid of doubtful) order.leave(uid);
  return order;
}

/** Queues a delete; emits no `resource:queued` if only the record is removed. */
function queue(app: App, record: ResourceRecord, retained: ReadonlySet<string>): Admission {
  if (!retained.has(record.uid)) emitQueued(app, refOf(app, record), "delete");
  return new Admission(app.run.admissions);
}

/** Settles parents first: a create that is called again settles children, or leaves some unsettled itself. */
async function settleAll(
  app: App,
  records: readonly ResourceRecord[],
  stays: (uid: string) => boolean,
): Promise<SettledCreates> {
  const known = new Set<string>();
  /** In a plan, which calls no create again: their children are deleted with them, as in a run. */
  const calledAgain = new Set<string>();
  const all: SettledCreates[] = [];
  const isUnder = (record: ResourceRecord, uids: ReadonlySet<string>): boolean =>
    isBelow(app.ledger.contents.records, record, uids);
  for (;;) {
    const left = stillThere(app, records)
      .filter((record) => record.status === "creating" || isOfUnknownOrigin(record))
      .filter(({ uid }) => !known.has(uid) && !stays(uid))
      .filter((record) => !isUnder(record, calledAgain));
    if (left.length === 0) break;
    const uids = new Set(left.map(({ uid }) => uid));
    const next = left.filter((record) => !isUnder(record, uids));
    const settled = await settleCreates(app, next);
    for (const { uid } of next) {
      known.add(uid);
      const isCreating = app.ledger.contents.records.get(uid)?.status === "creating";
      if (isCreating && !settled.stuck.has(uid)) calledAgain.add(uid);
    }
    all.push(settled);
  }
  return {
    stuck: new Set(all.flatMap(({ stuck }) => [...stuck])),
    unresolved: all.flatMap(({ unresolved }) => unresolved),
    errors: all.flatMap(({ errors }) => errors),
  };
}

/** Returns the present records with all their children: an interrupted create may have just declared some. */
function stillThere(app: App, records: readonly ResourceRecord[]): ResourceRecord[] {
  const { contents } = app.ledger;
  const uids = new Set(records.map(({ uid }) => uid));
  for (const { uid } of descendantsOf(contents, [...uids])) uids.add(uid);
  return [...uids].flatMap((uid) => contents.records.get(uid) ?? []);
}

/**
 * Deletes one resource that is replaced, its children first.
 *
 * @throws the failure, several errors as an AggregateError
 */
export async function deleteTree(app: App, record: ResourceRecord, isAsked = false): Promise<void> {
  const strategy = strategyOf(app, record.key);
  const reasonFor = (): DeleteReason => "replaced";
  raise(errorsOf(app, await deleteInOrder({ app, records: [record], strategy, reasonFor, isAsked })));
}

/** Returns the order in which a resource that is deleted on its own and its children are deleted. */
export function strategyOf(app: App, key: string): DestroyStrategy {
  return app.run.optionsOf(key)?.destroyStrategy ?? scopeAt(app, folderOf(key)).destroyStrategy;
}

/** Returns the errors of a delete on request, for which an unresolved record is an error, too. */
export function errorsOf(app: App, { errors, unresolved }: DeletionResult): readonly unknown[] {
  return [...errors, ...unresolved.map((record) => unresolvedError(app, record))];
}

function unresolvedError(app: App, record: ResourceRecord): EngineError {
  const { fqn } = nameOf(app, record);
  const message = `"${fqn}" is still recorded, because its interrupted create may have taken effect. Declare it again, so that the next run can finish the create. Or look for the real resource yourself, delete it if it exists, and remove the record with ${forgetCommand(fqn, record)}.`;
  return new EngineError("UNRESOLVED", message, { fqn });
}

function emitBlocked(app: App, item: ResourceRecord, by: ResourceRecord, isDoubtful: boolean): void {
  const { fqn, id } = nameOf(app, item);
  const other = nameOf(app, by).fqn;
  const reason = isDoubtful ? `"${other}" may still exist and use it` : `"${other}" still exists`;
  app.run.count(isDoubtful ? "left" : "retained");
  app.run.performer.keep(item, reason);
  app.events.emit("resource:retained", { kind: item.kind, id, fqn, reason });
}

export function nameOf(app: App, { key }: ResourceRecord): { readonly id: string; readonly fqn: string } {
  return { id: idOf(key), fqn: fqnIn(app.root, key) };
}
