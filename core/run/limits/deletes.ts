/** What is not to be deleted: the protected, not at all; the retained, only forgotten. */
import { EngineError, raise } from "../../base/index.js";
import { fqnIn, isAdoption, type ResourceOptions, type ResourceRecord } from "../../contract/index.js";
import { descendantsOf, needsOf } from "../../order/index.js";
import type { ScopeGeneration, ScopeHost } from "../../scope/index.js";
import { refuseOrphaning, type Selection } from "../../select/index.js";

/** The part of an app that protection needs. */
export interface Protecting extends ScopeHost {
  readonly generation: ScopeGeneration & {
    readonly bounds: { readonly selection: Selection | undefined };
    optionsOf(key: string): ResourceOptions | undefined;
  };
}

/** Before anything of it is deleted: one that must stay keeps all the rest that was to go with it. @throws EngineError `PROTECTED` */
export function refuseProtected(app: Protecting, records: readonly ResourceRecord[]): void {
  raise(refusals(app, records));
}

/** What keeps records from being deleted: an error for each that is protected. */
export function refusals(app: Protecting, records: readonly ResourceRecord[]): readonly EngineError[] {
  // A child may be an orphan itself, and part of another.
  const kept = [...new Set(records)].filter((record) => isProtected(app, record));
  return kept.map(({ key }) => protectedError(fqnIn(app.root, key), "deleted"));
}

/** For a plan: without what is protected, its parts, and what it needs. @param keep called with each of them, and why */
export function withoutProtected(
  app: Protecting,
  keep: (record: ResourceRecord, reason: string) => void,
  records: readonly ResourceRecord[],
): readonly ResourceRecord[] {
  const { contents } = app.ledger;
  const reasons = new Map(records.filter((one) => isProtected(app, one)).map(({ uid }) => [uid, "protected"]));
  for (const { uid } of descendantsOf(contents, [...reasons.keys()])) {
    if (!reasons.has(uid)) reasons.set(uid, "part of what is protected");
  }
  const all = new Map(records.map((record) => [record.uid, record]));
  const kept = new Set(records.filter(({ uid }) => reasons.has(uid)));
  for (const record of kept) {
    for (const need of needsOf(record).flatMap((uid) => all.get(uid) ?? [])) kept.add(need);
  }
  for (const record of kept) keep(record, reasons.get(record.uid) ?? "needed by what is protected");
  return records.filter((record) => !kept.has(record));
}

/** @param isProtectedNow as its declaration says now. @throws EngineError `PROTECTED`, `DEPENDENTS_LEFT_OUT` */
export function refuseReplace(app: Protecting, old: ResourceRecord, isProtectedNow: boolean): void {
  if (isProtectedNow) throw protectedError(fqnIn(app.root, old.key), "replaced");
  refuseProtected(app, descendantsOf(app.ledger.contents, [old.uid]));
  const { selection } = app.generation.bounds;
  if (selection) refuseOrphaning(app, selection, old);
}

/**
 * True where a resource, or one that it is a part of and goes with, stays in the world when it is deleted.
 *
 * @param isGoing for a child that is deleted by itself, what is said of its parent does not matter
 */
function isRetained(app: Protecting, record: ResourceRecord, isGoing: (uid: string) => boolean): boolean {
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
  app: Protecting,
  records: readonly ResourceRecord[],
  givenUp?: ReadonlySet<string>,
): ReadonlySet<string> {
  const uids = new Set(records.map(({ uid }) => uid));
  const isGoing = (uid: string): boolean => uids.has(uid) || givenUp?.has(uid) === true;
  const retained = records.filter((record) => isAdoption(record) || isRetained(app, record, isGoing));
  return new Set(retained.map(({ uid }) => uid));
}

/** As it is declared in this run, else as recorded; for an old copy, of the resource that took its place. */
function retains({ generation, options, ledger }: Protecting, record: ResourceRecord): boolean {
  const { key, replaced } = record;
  const declared = options.phase === "up" ? generation.optionsOf(key) : undefined;
  if (declared) return declared.retainOnDelete === true;
  const { retain } = (replaced && ledger.contents.at(key)) || record;
  return retain === true;
}

/** What an adoption was about is not deleted anyway. */
function isProtected(app: Protecting, record: ResourceRecord): boolean {
  return record.protect === true && !isAdoption(record) && !isUnprotected(app, record);
}

/** A destroy names it, and says that its protection does not hold. */
function isUnprotected({ options, root }: Protecting, { key }: ResourceRecord): boolean {
  const { unprotect, phase, target = [] } = options;
  return unprotect && phase === "destroy" && target.includes(fqnIn(root, key));
}

function protectedError(fqn: string, what: "deleted" | "replaced"): EngineError {
  const way =
    what === "deleted"
      ? `To delete it, declare it with { protect: false }, run up, and only then delete it; or by name: engine destroy --target ${fqn} --unprotect.`
      : "Undo the change that replaces it, or declare it with { protect: false }.";
  return new EngineError("PROTECTED", `"${fqn}" is protected, so it is not ${what}. ${way}`, { fqn });
}

/** The most names in the message. */
const MOST = 20;

export class DeleteLimit {
  /** The most deletes. */
  readonly most: number;
  /** Of how many it is a part, in words. */
  readonly #share: string;
  /** How many were deleted before something was replaced. */
  #first = 0;
  /** Old copies that earlier runs have left. */
  readonly #oldCopies: ReadonlySet<string>;

  private constructor(given: number | `${number}%`, records: readonly ResourceRecord[]) {
    const living = records.filter(({ replaced }) => !replaced).length;
    this.most = limitOf(given, living);
    this.#share = typeof given === "number" ? "" : ` (${given} of ${living})`;
    this.#oldCopies = new Set(records.flatMap(({ uid, replaced }) => (replaced ? uid : [])));
  }

  static of({ options, ledger }: Protecting): DeleteLimit | undefined {
    const { maxDeletes, phase } = options;
    if (maxDeletes === undefined || phase !== "up") return undefined;
    return new DeleteLimit(maxDeletes, [...ledger.contents.records.values()]);
  }

  /** The deletes that count: neither copies that this run has replaced, nor what is only forgotten. */
  counted(app: Protecting, records: readonly ResourceRecord[]): readonly ResourceRecord[] {
    const retained = retainedOf(app, records);
    return records.filter(({ uid, replaced }) => !retained.has(uid) && (!replaced || this.#oldCopies.has(uid)));
  }

  /** How many more may be deleted. */
  get left(): number {
    return Math.max(0, this.most - this.#first);
  }

  /** Counts what is deleted before something is replaced. @throws EngineError `TOO_MANY_DELETES` */
  take(app: Protecting, records: readonly ResourceRecord[]): void {
    const error = this.excess(app, records, "The run would delete");
    if (error) throw error;
    this.#first += this.counted(app, records).length;
  }

  /** Undefined where it is respected. */
  excess(
    app: Protecting,
    records: readonly ResourceRecord[],
    who = "finalize() would delete",
  ): EngineError | undefined {
    const counted = this.counted(app, records);
    if (counted.length <= this.left) return undefined;
    const names = counted.slice(0, MOST).map(({ key }) => `\n  - ${fqnIn(app.root, key)}`);
    const more = counted.length > MOST ? `\n  - and ${counted.length - MOST} more` : "";
    const already = this.#first === 0 ? "" : ` after ${this.#first} deleted before replacements`;
    return new EngineError(
      "TOO_MANY_DELETES",
      `${who} ${numberOf(counted.length)}${already}, and maxDeletes allows ${this.most}${this.#share}. Nothing ${already === "" ? "" : "of that "}was deleted:${names.join("")}${more}\nDeclare them again where they are missing by mistake; or allow more (maxDeletes, --max-deletes), delete some at a time (target), or keep them all (destroyOrphans: false).`,
    );
  }
}

/** @param recorded how many resources a percentage is of */
export function limitOf(given: number | `${number}%`, recorded: number): number {
  return typeof given === "number" ? given : Math.floor((recorded * Number(given.slice(0, -1))) / 100);
}

function numberOf(count: number): string {
  return count === 1 ? "1 resource" : `${count} resources`;
}
