/**
 * The changes of a record whose delete begins, does not begin after all, or ends with the resource still there; and the names of
 * those that are retained. Pure.
 */
import {
  type DeletionCause,
  type Encoded,
  type FailedDeletion,
  type ResourceRecord,
  retainedOwner,
} from "../contract/index.js";
import type { Change, Contents } from "./change.js";

type Former = NonNullable<ResourceRecord["deletion"]>["former"];

type Patch = Extract<Change, { readonly op: "patch" }>;

/** Versions before 0.2 did not record the former status. As `updating`, the resource is brought up to date by its type. */
const UNKNOWN_FORMER: Former = { status: "updating", attempt: 0 };

/** The members that a delete replaces, as they were before it. */
function formerOf({ status, attempt, since, error, deletion }: ResourceRecord): Former {
  if (status === "deleting") return deletion?.former ?? UNKNOWN_FORMER;
  return {
    status,
    attempt,
    ...(since === undefined ? {} : { since }),
    ...(error === undefined ? {} : { error }),
  };
}

/** The intent of a delete. @param since start of the run */
export function deletionBegins(record: ResourceRecord, by: DeletionCause, since: string): Patch {
  const { uid, status, attempt, deleteFailed } = record;
  const earlier = status === "deleting" ? attempt : (deleteFailed?.attempts ?? 0);
  const deletion = { by, former: formerOf(record) };
  return { op: "patch", uid, set: { status: "deleting", attempt: earlier + 1, since, deletion }, unset: ["error"] };
}

/** Takes the intent back. @param record as it was before the intent */
export function deletionUndone(record: ResourceRecord): Patch {
  const { uid, status, attempt, since, error, deletion } = record;
  return patchTo(uid, { status, attempt, since, error, deletion });
}

/**
 * Gives the record its former status.
 *
 * @param deleteFailed undefined if the resource was found after its delete
 * @param left the output of what a delete left of the resource: the type has to complete it
 */
export function restored(record: ResourceRecord, deleteFailed?: FailedDeletion, left?: Encoded): Patch {
  const { uid, output } = record;
  const { status, attempt, since, error } = left === undefined ? formerOf(record) : partOf(record);
  // What the engine was deleting is its own, also if its create or adoption has never ended.
  const claim = status === "updating" && record.done === undefined ? "own" : record.claim;
  const patch = patchTo(uid, { status, attempt, since, error, claim, deletion: undefined, deleteFailed });
  // With an output it is a result, which a recovery file may hold.
  const there = left ?? (status === "ready" ? undefined : output);
  const before = left === undefined ? {} : lastGoodOf(record);
  return there === undefined ? patch : { ...patch, set: { ...patch.set, ...before, output: there } };
}

/** Of a delete whose outcome is unknown: it took a part of the resource away. @param left the output of the rest */
export function onlyPart(record: ResourceRecord, left: Encoded): Patch {
  const { uid, deletion } = record;
  const set = {
    output: left,
    ...lastGoodOf(record),
    ...(deletion && { deletion: { ...deletion, former: partOf(record) } }),
  };
  return { op: "patch", uid, set };
}

/** What others have changed is seen by comparing with the output of the last success, not with that of the rest. */
function lastGoodOf({ props, output, lastGood }: ResourceRecord): Pick<ResourceRecord, "lastGood"> {
  if (output === undefined || lastGood?.output !== undefined) return {};
  return { lastGood: { props: lastGood?.props ?? props, output } };
}

function partOf(record: ResourceRecord): Former {
  const former = formerOf(record);
  const { since } = record;
  return former.status === "ready" ? { ...UNKNOWN_FORMER, ...(since === undefined ? {} : { since }) } : former;
}

/** Members that are undefined go. */
function patchTo(uid: string, members: Partial<ResourceRecord>): Patch {
  const set: Record<string, unknown> = {};
  const unset: (keyof ResourceRecord)[] = [];
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) unset.push(name as keyof ResourceRecord);
    else set[name] = value;
  }
  return { op: "patch", uid, set, unset };
}

// Names of retained resources: no record has them, and the real things that have them are still there.

/** A name that stays taken until it is adopted or forgotten. */
export interface RetainedName {
  /** The physical name. */
  readonly name: string;
  /** Key and kind of the resource that had it. */
  readonly key: string;
  readonly kind: string;
  /** Start of the run that retained it, as ISO 8601. */
  readonly since: string;
}

/** Newest first. */
export function retainedNames({ data }: Contents): readonly RetainedName[] {
  const all = [...(data.get(retainedOwner) ?? [])].map(([name, value]) => retainedName(name, value));
  return all.reverse().sort((one, other) => (one.since < other.since ? 1 : one.since > other.since ? -1 : 0));
}

export function isNameRetained({ data }: Contents, name: string): boolean {
  return data.get(retainedOwner)?.has(name) === true;
}

/** Keeps the name of a record that goes while the real thing stays. */
export function retainName({ physicalName, key, kind }: ResourceRecord, since: string): Change {
  return { op: "data", owner: retainedOwner, key: physicalName, value: { key, kind, since } };
}

export function releaseName(name: string): Change {
  return { op: "data", owner: retainedOwner, key: name };
}

function retainedName(name: string, value: Encoded): RetainedName {
  const { key, kind, since }: Partial<RetainedName> = Object(value);
  return { name, key: String(key), kind: String(kind), since: String(since) };
}
