/** What is not to be deleted: the protected, not at all; the retained, only forgotten. */
import { EngineError, raise } from "../../base/index.js";
import { fqnIn, isAdoption, type ResourceRecord } from "../../contract/index.js";
import { descendantsOf, needsOf } from "../../order/index.js";
import type { App } from "../app.js";
import { refuseOrphaning } from "./selected-records.js";

/** Before anything of it is deleted: one that must stay keeps all the rest that was to go with it. @throws EngineError `PROTECTED` */
export function refuseProtected(app: App, records: readonly ResourceRecord[]): void {
  raise(refusals(app, records));
}

/** What keeps records from being deleted: an error for each that is protected. */
export function refusals(app: App, records: readonly ResourceRecord[]): readonly EngineError[] {
  // A child may be an orphan itself, and part of another.
  const kept = [...new Set(records)].filter((record) => isProtected(app, record));
  return kept.map(({ key }) => protectedError(fqnIn(app.root, key), "deleted"));
}

/** For a plan: without what is protected, its parts, and what it needs. @param keep called with each of them, and why */
export function withoutProtected(
  app: App,
  keep: (record: ResourceRecord, reason: string) => void,
  records: readonly ResourceRecord[],
): readonly ResourceRecord[] {
  const { contents } = app.ledger;
  const reasons = new Map(records.filter((one) => isProtected(app, one)).map(({ uid }) => [uid, "protected"]));
  for (const { uid } of descendantsOf(contents, [...reasons.keys()])) {
    if (!reasons.has(uid)) reasons.set(uid, "child of a protected resource");
  }
  const all = new Map(records.map((record) => [record.uid, record]));
  const kept = new Set(records.filter(({ uid }) => reasons.has(uid)));
  for (const record of kept) {
    for (const need of needsOf(record).flatMap((uid) => all.get(uid) ?? [])) kept.add(need);
  }
  for (const record of kept) keep(record, reasons.get(record.uid) ?? "needed by a protected resource");
  return records.filter((record) => !kept.has(record));
}

/** @param isProtectedNow as its declaration says now. @throws EngineError `PROTECTED`, `DEPENDENTS_LEFT_OUT` */
export function refuseReplace(app: App, old: ResourceRecord, isProtectedNow: boolean): void {
  if (isProtectedNow) throw protectedError(fqnIn(app.root, old.key), "replaced");
  refuseProtected(app, descendantsOf(app.ledger.contents, [old.uid]));
  const { selection } = app.run.bounds;
  if (selection) refuseOrphaning(app, selection, old);
}

/**
 * True where a resource, or one that it is a part of and goes with, stays in the world when it is deleted.
 *
 * @param isGoing for a child that is deleted by itself, what is said of its parent does not matter
 */
function isRetained(app: App, record: ResourceRecord, isGoing: (uid: string) => boolean): boolean {
  for (let at: ResourceRecord | undefined = record; at; ) {
    if (retains(app, at)) return true;
    const { parent }: ResourceRecord = at;
    at = parent === undefined || !isGoing(parent) ? undefined : app.ledger.contents.records.get(parent);
  }
  return false;
}

/**
 * Of records that go together, those of which only the record goes: also adoptions without a result, whose parts go as others do.
 *
 * @param givenUp uids of what is to go, too, though not now
 */
export function retainedOf(
  app: App,
  records: readonly ResourceRecord[],
  givenUp?: ReadonlySet<string>,
): ReadonlySet<string> {
  const uids = new Set(records.map(({ uid }) => uid));
  const isGoing = (uid: string): boolean => uids.has(uid) || givenUp?.has(uid) === true;
  const retained = records.filter((record) => isAdoption(record) || isRetained(app, record, isGoing));
  return new Set(retained.map(({ uid }) => uid));
}

/** As it is declared in this run, else as recorded; for an old copy, of the resource that took its place. */
function retains({ run, options, ledger }: App, record: ResourceRecord): boolean {
  const { key, replaced } = record;
  const declared = options.phase === "up" ? run.optionsOf(key) : undefined;
  if (declared) return declared.retainOnDelete === true;
  const { retain } = (replaced && ledger.contents.at(key)) || record;
  return retain === true;
}

/** What an adoption was about is not deleted anyway. */
function isProtected(app: App, record: ResourceRecord): boolean {
  return record.protect === true && !isAdoption(record) && !isUnprotected(app, record);
}

/** A destroy names it, and says that its protection does not hold. */
function isUnprotected({ options, root }: App, { key }: ResourceRecord): boolean {
  const { unprotect, phase, target = [] } = options;
  return unprotect && phase === "destroy" && target.includes(fqnIn(root, key));
}

function protectedError(fqn: string, what: "deleted" | "replaced"): EngineError {
  const way =
    what === "deleted"
      ? `To delete it, declare it with { protect: false }, run up, and then delete it. Or delete it by name: engine destroy --target ${fqn} --unprotect.`
      : "Undo the change that replaces it, or declare it with { protect: false }.";
  return new EngineError("PROTECTED", `"${fqn}" is protected, so it is not ${what}. ${way}`, { fqn });
}
