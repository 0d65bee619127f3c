/** Resources that must not be deleted: protected ones not at all; retained ones only lose their records. */
import { EngineError, raise } from "../../base/index.js";
import { fqnIn, isAdoption, type ResourceRecord } from "../../contract/index.js";
import { descendantsOf, needsOf } from "../../order/index.js";
import type { App } from "../app.js";
import { refuseOrphaning } from "./selected-records.js";

/** Refuses before the first delete: one protected record keeps all the others. @throws EngineError `PROTECTED` */
export function refuseProtected(app: App, records: readonly ResourceRecord[]): void {
  raise(refusals(app, records));
}

/** Returns an error for each record that is protected. */
export function refusals(app: App, records: readonly ResourceRecord[]): readonly EngineError[] {
  // A child may be an orphan itself, and a child of another one.
  const kept = [...new Set(records)].filter((record) => isProtected(app, record));
  return kept.map(({ key }) => protectedError(fqnIn(app.root, key), "deleted"));
}

/**
 * Removes, for a plan, protected resources, their children, and the resources they need.
 *
 * @param keep called with each of them and the reason
 */
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

/** @param isProtectedNow as the declaration says now. @throws EngineError `PROTECTED`, `DEPENDENTS_LEFT_OUT` */
export function refuseReplace(app: App, old: ResourceRecord, isProtectedNow: boolean): void {
  if (isProtectedNow) throw protectedError(fqnIn(app.root, old.key), "replaced");
  refuseProtected(app, descendantsOf(app.ledger.contents, [old.uid]));
  const { selection } = app.run.bounds;
  if (selection) refuseOrphaning(app, selection, old);
}

/**
 * Returns the records, among those deleted together, that are removed while the real resources stay, because they are
 * retained themselves, or an ancestor that is deleted with them is. They include adoptions without a result, whose
 * children are deleted like others.
 *
 * @param givenUp uids of records that will be deleted as well, but not now
 */
export function retainedOf(
  app: App,
  records: readonly ResourceRecord[],
  givenUp?: ReadonlySet<string>,
): ReadonlySet<string> {
  const { contents } = app.ledger;
  const uids = new Set(records.map(({ uid }) => uid));
  /** By uid, if they are retained. */
  const wholes = new Map<string, boolean>();
  const isRetained = (record: ResourceRecord): boolean => retains(app, record) || isPartOfRetained(record);
  const isPartOfRetained = ({ parent }: ResourceRecord): boolean => {
    // If a child is deleted on its own, the options of its parent do not matter.
    if (parent === undefined || !(uids.has(parent) || givenUp?.has(parent))) return false;
    const whole = contents.records.get(parent);
    const verdict = wholes.get(parent) ?? (whole !== undefined && isRetained(whole));
    wholes.set(parent, verdict);
    return verdict;
  };
  const retained = records.filter((record) => isAdoption(record) || isRetained(record));
  return new Set(retained.map(({ uid }) => uid));
}

/** Uses the option of the declaration in this run, else the recorded one; for an old copy, that of its replacement. */
function retains({ run, options, ledger }: App, record: ResourceRecord): boolean {
  const { key, replaced } = record;
  const declared = options.phase === "up" ? run.optionsOf(key) : undefined;
  if (declared) return declared.retainOnDelete === true;
  const { retain } = (replaced && ledger.contents.at(key)) || record;
  return retain === true;
}

/** The real resource of an adoption is not deleted anyway. */
function isProtected(app: App, record: ResourceRecord): boolean {
  return record.protect === true && !isAdoption(record) && !isUnprotected(app, record);
}

/** True if a destroy names it and disables its protection. */
function isUnprotected({ options, root }: App, { key }: ResourceRecord): boolean {
  const { unprotect, phase, target = [] } = options;
  return unprotect && phase === "destroy" && target.includes(fqnIn(root, key));
}

function protectedError(fqn: string, what: "deleted" | "replaced"): EngineError {
  const way =
    what === "deleted"
      ? `To delete it, declare it with { protect: false }, run "engine up", and then delete it. Or delete it by name: engine destroy --target ${fqn} --unprotect.`
      : "Undo the change that replaces it, or declare it with { protect: false }.";
  return new EngineError("PROTECTED", `"${fqn}" is protected, so it is not ${what}. ${way}`, { fqn });
}
