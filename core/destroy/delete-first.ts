/**
 * Deletes an old copy before its replacement is created and, if a plan says so, dependents before that, or before an
 * update.
 */

import { raise, withResolvers } from "../base/index.js";
import { folderOf, fqnIn, isAdoption, type ResourceRecord } from "../contract/index.js";
import { decodeOutput } from "../handler/index.js";
import { withDescendants } from "../order/index.js";
import { type App, askBeforeDelete, type DeleteReason, refuseReplace, retainedOf } from "../run/index.js";
import { scopeAt } from "../scope/index.js";
import { deleteInOrder, deleteTree, errorsOf, strategyOf } from "./delete-tree.js";
import { prepare, readable } from "./deletion.js";
import { dependentsOf, goingDependents, isUndecided } from "./dependents.js";
import { askAboutOrphans } from "./prune.js";

/**
 * Returns the dependents that the plan of this run deletes before `old`. None if one of them stays, because that would
 * hold back the delete of `old` as well.
 */
export function dependentsFirst(app: App, old: ResourceRecord): readonly ResourceRecord[] {
  return plannedBefore(app, old, dependentsOf);
}

/** Returns the dependents that the plan of this run deletes before `record` is updated. */
export function dependentsAhead(app: App, record: ResourceRecord): readonly ResourceRecord[] {
  return plannedBefore(app, record, goingDependents);
}

/** @param among finds the dependents to delete among all; called only if the plan lists any */
function plannedBefore(app: App, record: ResourceRecord, among: typeof dependentsOf): readonly ResourceRecord[] {
  const first = app.run.performer.firstOf(record);
  if (!first) return [];
  const isListed = ({ uid, key }: ResourceRecord): boolean => first.get(uid)?.fqn === fqnIn(app.root, key);
  return allOrNone(
    app,
    among(app.ledger.contents, record, (one) => isUndecided(app, one) && isListed(one)),
  );
}

function allOrNone(app: App, first: readonly ResourceRecord[]): readonly ResourceRecord[] {
  const { contents, foreign } = app.ledger;
  const all = withDescendants(contents, ...first);
  return retainedOf(app, all).size > 0 || all.some((one) => foreign.has(one.uid) || isAdoption(one)) ? [] : first;
}

/**
 * @throws the refusal or failure of a delete, several errors as an AggregateError. A refusal comes before the first
 * delete.
 */
export async function deleteFirst(app: App, old: ResourceRecord): Promise<void> {
  const first = dependentsFirst(app, old);
  if (first.length > 0) await deleteDependents(app, old, first, [...first, old]);
  await deleteTree(app, old, first.length > 0);
}

/** Deletes like {@link deleteFirst}, before an update. */
export async function deleteAhead(app: App, record: ResourceRecord): Promise<void> {
  const first = dependentsAhead(app, record);
  if (first.length > 0) await deleteDependents(app, record, first, first);
}

/** @param all records that plugins are asked about before the first delete */
async function deleteDependents(
  app: App,
  old: ResourceRecord,
  first: readonly ResourceRecord[],
  all: readonly ResourceRecord[],
): Promise<void> {
  const { ledger, run } = app;
  const ended = withResolvers<void>();
  const going = first.filter(({ replaced }) => !replaced);
  // Synchronously: later declarations of these keys wait until the outcome is known.
  const marks = going.map((record) => ({ record, over: ended.promise, isOver: false }));
  for (const mark of marks) run.first.set(mark.record.key, mark);
  try {
    const planned = run.performer.firstOf(old);
    const orphans = first.filter((one) => !one.replaced && planned?.get(one.uid)?.action === "delete");
    const isOrphan = new Set(withDescendants(ledger.contents, ...orphans).map(({ uid }) => uid));
    const reasonFor = ({ uid }: ResourceRecord): DeleteReason => (isOrphan.has(uid) ? "orphan" : "replaced");
    const isConfirmed = await refuse(app, first, orphans);
    await ask(app, withDescendants(ledger.contents, ...all), reasonFor);
    if (!isConfirmed) run.bounds.deletes?.take(withDescendants(ledger.contents, ...first));
    const strategy = strategyOf(app, old.key);
    const deletion = { app, records: first, strategy, reasonFor, isAsked: true };
    raise(errorsOf(app, await deleteInOrder(deletion)));
  } finally {
    for (const mark of marks) {
      mark.isOver = true;
      const { key, uid } = mark.record;
      if (ledger.contents.records.has(uid)) run.first.delete(key);
    }
    ended.resolve();
  }
}

/**
 * @returns true if a plugin has confirmed them, whatever their number
 * @throws EngineError `PROTECTED`, `DEPENDENTS_LEFT_OUT`, `VETOED`
 */
async function refuse(
  app: App,
  first: readonly ResourceRecord[],
  orphans: readonly ResourceRecord[],
): Promise<boolean> {
  const { run } = app;
  for (const record of first) {
    const declared = run.optionsOf(record.key);
    refuseReplace(app, record, declared ? declared.protect === true : record.protect === true);
  }
  return orphans.length > 0 && (await askAboutOrphans(app, orphans));
}

/** Asks plugins about each delete before the first one. @throws EngineError `VETOED`, `KIND_UNKNOWN` */
async function ask(
  app: App,
  records: readonly ResourceRecord[],
  reasonFor: (record: ResourceRecord) => DeleteReason,
): Promise<void> {
  for (const record of [...records].reverse()) {
    const reason = reasonFor(record);
    const deletion = await prepare({ app, record, reason });
    if (!app.calls.beforeDelete.used) continue;
    const output = await readable(deletion, () => decodeOutput(deletion, record));
    await askBeforeDelete(app, { ...deletion.ref, scope: scopeAt(app, folderOf(record.key)), reason, output });
  }
}
