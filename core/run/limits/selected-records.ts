/** Selects the records that a run may delete, and refuses deletes that would leave dependents behind. */

import { EngineError, raise } from "../../base/index.js";
import { fqnIn, type ResourceRecord } from "../../contract/index.js";
import { descendantsOf, needsOf } from "../../order/index.js";
import type { Recorded, Selection } from "./selection.js";

type Records = readonly ResourceRecord[];
type Dependent = Pick<ResourceRecord, "key" | "parent" | "refs">;

/** Maximum number of errors. */
const MOST = 20;

interface Selected {
  readonly going: Records;
  /** `DEPENDENTS_LEFT_OUT`, if a resource that stays refers to one that is deleted, or is its child. */
  readonly refused: readonly EngineError[];
}

/**
 * Selects the records to delete: the selected ones with their children and, with `targetDependents`, their dependents.
 * Notes the others as left out.
 */
export function selectedOf(app: Recorded, selection: Selection | undefined, requested: Records): Selected {
  if (!selection) return { going: requested, refused: [] };
  const all = [...app.ledger.contents.records.values()];
  // A record that a declaration uses under an earlier name is not an orphan.
  const candidates = requested.filter(({ key }) => !selection.holds(key));
  const excluded = excludedOf(selection, all);
  const dependents = dependentsIn(all);
  const going = new Set<ResourceRecord>();
  for (const record of candidates) {
    if (!excluded.has(record.uid) && (selection.isTargeted(record.key) || isPartOfChosen(app, selection, record))) {
      going.add(record);
    }
  }
  const mayGo = new Set(candidates.filter(({ uid }) => !excluded.has(uid)));
  for (const record of going) {
    for (const dependent of dependents.get(record.uid) ?? []) {
      const follows = dependent.parent === record.uid || selection.withDependents;
      if (follows && mayGo.has(dependent)) going.add(dependent);
    }
  }
  for (const { key } of going) selection.meet(key);
  noteOthers(selection, candidates, going, excluded);
  const errors: EngineError[] = [];
  for (const record of going) {
    for (const dependent of dependents.get(record.uid) ?? []) {
      if (!going.has(dependent)) errors.push(staying(app, selection, record, dependent));
    }
  }
  return { going: requested.filter((record) => going.has(record)), refused: errors.slice(0, MOST) };
}

/**
 * Refuses a replacement before it begins if the delete of its old copy would be refused, and no later declaration could
 * change that.
 *
 * @throws EngineError `DEPENDENTS_LEFT_OUT`
 */
export function refuseOrphaning(app: Recorded, selection: Selection, old: ResourceRecord): void {
  const { contents } = app.ledger;
  const going = new Set([old, ...descendantsOf(contents, [old.uid])]);
  const staysFor = ({ key }: ResourceRecord): boolean =>
    selection.isExcluded(key) || (!selection.withDependents && !selection.isTargeted(key) && !selection.isChosen(key));
  const errors = [...going].flatMap((record) => {
    if (record !== old && selection.isExcluded(record.key)) return staying(app, selection, old, record);
    const stay = contents.dependentsOf(record.uid).filter((one) => !going.has(one) && staysFor(one));
    return stay.map((dependent) => staying(app, selection, record, dependent));
  });
  raise(errors.slice(0, MOST));
}

/**
 * Refuses a delete on request that would leave dependents behind.
 *
 * @param declared declarations outside of it that may not be recorded yet
 * @throws EngineError `DEPENDENTS_LEFT_OUT`
 */
export function refuseReferredTo(app: Recorded, requested: Records, declared: readonly Dependent[]): void {
  const { contents } = app.ledger;
  const all = [...new Set([...requested, ...descendantsOf(contents, uidsOf(requested))])];
  const going = new Set(uidsOf(all));
  const declaredFor = dependentsIn(declared);
  const errors = all.flatMap((record) => {
    const recorded = contents.dependentsOf(record.uid).filter(({ uid }) => !going.has(uid));
    const stay = [...recorded, ...(declaredFor.get(record.uid) ?? [])];
    const byKey = new Map(stay.map((dependent) => [dependent.key, dependent]));
    return [...byKey.values()].map((dependent) => {
      const other = fqnIn(app.root, dependent.key);
      return leftOut(
        app,
        record,
        dependent,
        "stays",
        `Destroy "${other}" first, or declare it without that reference.`,
      );
    });
  });
  raise(errors.slice(0, MOST));
}

function uidsOf(records: Records): string[] {
  return records.map(({ uid }) => uid);
}

/** Returns the resources excluded by name or, with `excludeDependents`, as dependents; and all their children. */
function excludedOf(selection: Selection, all: Records): ReadonlySet<string> {
  const excluded = new Set(all.flatMap(({ key, uid }) => (selection.isExcluded(key) ? uid : [])));
  if (!selection.withoutDependents) return excluded;
  const dependents = dependentsIn(all);
  for (const uid of excluded) for (const dependent of dependents.get(uid) ?? []) excluded.add(dependent.uid);
  return excluded;
}

/** Returns the dependents and children of each resource, by its uid. */
function dependentsIn<T extends Dependent>(all: readonly T[]): ReadonlyMap<string, readonly T[]> {
  const dependents = new Map<string, T[]>();
  for (const record of all) {
    for (const uid of needsOf(record)) {
      const known = dependents.get(uid);
      if (known) known.push(record);
      else dependents.set(uid, [record]);
    }
  }
  return dependents;
}

/** True for a copy or a child of a resource that was applied in this run. */
function isPartOfChosen({ ledger }: Recorded, selection: Selection, record: ResourceRecord): boolean {
  const { records } = ledger.contents;
  for (let at: ResourceRecord | undefined = record; at; ) {
    if (selection.isChosen(at.key)) return true;
    at = at.parent === undefined ? undefined : records.get(at.parent);
  }
  return false;
}

function noteOthers(
  selection: Selection,
  candidates: Records,
  going: ReadonlySet<ResourceRecord>,
  excluded: ReadonlySet<string>,
): void {
  const others = new Set(candidates.filter((record) => !going.has(record)).map(({ uid }) => uid));
  for (const { uid, key, kind, parent } of candidates) {
    if (!others.has(uid) || (parent !== undefined && others.has(parent))) continue;
    selection.leave({ key, kind, reason: excluded.has(uid) ? "excluded" : "not targeted" });
  }
}

function staying(app: Recorded, selection: Selection, record: ResourceRecord, stays: ResourceRecord): EngineError {
  const other = fqnIn(app.root, stays.key);
  if (selection.isExcluded(stays.key)) {
    return leftOut(
      app,
      record,
      stays,
      "is excluded",
      `Exclude "${fqnIn(app.root, record.key)}" as well, or exclude neither.`,
    );
  }
  const way = `Target "${other}" as well, or all dependents of the targets (targetDependents, --target-dependents).`;
  return leftOut(app, record, stays, "is left out of this run", way);
}

/** @param why the reason that `stays` is not deleted. @param way how to change that */
function leftOut({ root }: Recorded, record: ResourceRecord, stays: Dependent, why: string, way: string): EngineError {
  const fqn = fqnIn(root, record.key);
  const how = stays.parent === record.uid ? "is its child" : "refers to it";
  const message = `"${fqn}" is not deleted: "${fqnIn(root, stays.key)}", which ${how}, ${why}. ${way}`;
  return new EngineError("DEPENDENTS_LEFT_OUT", message, { fqn });
}
